/** A person at a match: one connection for every seat that is played from here, or one that only watches.
 * It sits down, shows nonces, and holds picks back until they go out as one command. Deliberately absent: any rule. */

import type { Move } from '../protocol/moves'
import { patched } from '../protocol/patch'
import { whole } from '../protocol/view'
import type { Asked, Refused, TableView } from '../protocol/wire'
import type { Bundle, Choice, Decision } from '../titles/title'
import { type Answered, type Command, Follow } from './follow.svelte'
import { type Deed, type DeedAfter, deedAfter, type KeptDeed } from '../words/deeds'
import { inShort } from '../words/inshort'
import { taken } from '../words/picking'
import { type Kept, kept, keyOf, type Way } from './keep'
import type { Where } from './beginning'
import { deeds, keepDeed, nonceOf } from './progress'

/** Choices that nobody else has heard of, and what the server says would be asked after them. */
interface Held {
  by: Follow
  /** The fact on which they were made. */
  upto: number
  /** What was asked then, as text. */
  asked: string
  choices: readonly Choice[]
  prompt: Asked
  view: TableView
}

/** What a bot of the house would decide: `last` is not quiet, and the view is that before it. */
export interface Proposed {
  decisions: readonly Decision[]
  last: Decision | undefined
  view: TableView
}

/** Decisions of one command, at most. */
const MOST = 512

const promptOf = ({ folded, seat }: Follow): Asked | undefined => folded.prompts.find((one) => one.seat === seat)

const asked = (one: Follow): string => JSON.stringify(promptOf(one) ?? null)

export class Session {
  follows = $state.raw<Follow[]>([])
  /** A bundle under way: what is left of it to say. */
  bundle = $state<string>('')
  /** What this browser keeps of the match. */
  kept = $state.raw<Kept | null>(null)
  /** The decision that is on its way, by its command, until the board shows what came of it; and whose it is. */
  private underWay = $state.raw<{ command: string; by: Follow } | null>(null)
  private held = $state.raw<Held | null>(null)
  /** Before the match begins: where it does, if not where one sat down; and why not from here. */
  begins = $state<Where | ''>('')
  problem = $state('')
  private readonly said = new Set<string>()
  /** Seats that nobody had taken when this page came. */
  private readonly free = new Set<number>()
  private stop = false
  /** The decisions made from here, by their command: whose, and what in words. */
  readonly decided = new Map<string, Deed & { given: readonly string[] }>()
  /** The same by the last fact of each, before a reload, too; known with the receipt. */
  private deeds = $state.raw<readonly KeptDeed[]>([])
  private readonly otherTab = (event: StorageEvent): void => this.renewed(event)

  constructor(
    readonly match: string,
    readonly ways: Way[],
    /** Whether it is opened by the person who is signed in where there is no way. */
    mine = false,
  ) {
    const seats = ways.filter((way) => way.role === 'seat')
    const eyes = seats.length ? seats : [ways.find((way) => way.role === 'onlooker') ?? ways[0]]
    this.follows = eyes.map((way) => new Follow(match, way?.token ?? '', way?.heir, true, mine && !way))
    this.kept = kept(match)
    this.deeds = deeds(match)
    addEventListener('storage', this.otherTab)
  }

  close(): void {
    this.stop = true
    removeEventListener('storage', this.otherTab)
    for (const follow of this.follows) follow.close()
  }

  /** Opens more seats of the person who is signed in. */
  also(seats: readonly number[]): void {
    const more = seats.filter((seat) => !this.seats.includes(seat))
    this.follows = [...this.follows, ...more.map((seat) => new Follow(this.match, '', '', true, seat))]
  }

  /** The eyes that matter now: of a seat that is asked, else of the one whose decision is on its way, else of the first. */
  get active(): Follow {
    const asked = this.follows.find((one) => this.asks(one))
    return asked ?? this.underWay?.by ?? this.follows.find((one) => one.seat !== null) ?? this.follows[0]!
  }

  get seats(): number[] {
    return this.follows.flatMap((one) => (one.seat === null ? [] : [one.seat]))
  }

  get prompt(): Asked | null {
    const { active } = this
    if (active.folded.view.match.paused) return null
    return this.ahead?.prompt ?? promptOf(active) ?? null
  }

  /** The table as it is, with what is chosen and held back. */
  get view(): TableView {
    return this.ahead?.view ?? this.active.folded.view
  }

  /** How many choices are held back. */
  get holding(): number {
    return this.ahead?.choices.length ?? 0
  }

  /** The choices that are held back. */
  get heldBack(): readonly Choice[] {
    return this.ahead?.choices ?? []
  }

  /** The last choice that is held back, in words; or ''. */
  get lastHeld(): string {
    return this.ahead?.choices.at(-1)?.label ?? ''
  }

  /** What is held back, unless the match has gone on meanwhile: then it was chosen on another table. Where all choose at
   * once the other side may have done so, and the same is asked as before. */
  private get ahead(): Held | null {
    const { active, held } = this
    if (held?.by !== active) return null
    return held.upto === active.folded.upto || (held.prompt.sealed && held.asked === asked(active)) ? held : null
  }

  get refused(): Refused | null {
    return this.follows.find((one) => one.refused)?.refused ?? null
  }

  /** Where one plays several seats, the next may be asked before the frame of the last one is here. */
  get deciding(): boolean {
    return this.underWay?.by === this.active
  }

  forgive(): void {
    for (const follow of this.follows) follow.refused = null
  }

  /** Whether its seat is asked, as far as is known here: what another seat has seen since was asked before. */
  private asks(one: Follow): boolean {
    const { upto, prompts } = one.folded
    return prompts.some((prompt) => prompt.seat === one.seat) && this.follows.every(({ folded }) => folded.upto <= upto)
  }

  async sit(name: string): Promise<Answered[]> {
    const { sitDown } = await import('./seating')
    const answers: Answered[] = []
    for (const follow of this.follows) {
      const { seat } = follow
      if (seat === null || follow.folded.view.match.taken[seat]) continue
      answers.push(await sitDown(follow, seat, name))
    }
    return answers
  }

  /** Shows the nonce of every seat of ours as soon as all seats have promised theirs, or commits to another. `wanted`: they
   * are to begin here, though another browser may be about it. */
  async begin(wanted = false): Promise<void> {
    const ours = this.follows.filter(({ seat, line, folded: { view } }) => {
      if (seat === null || !view.match.seats.length || view.match.started || line !== 'open') return false
      // Whoever was invited, and saw another sit down, has not sat down.
      if (!view.match.taken[seat]) this.free.add(seat)
      return !this.free.has(seat) || nonceOf(this.match, seat)
    })
    const due = ours.filter(({ seat, folded: { view } }) => {
      const said = JSON.stringify([view.match.promises, view.match.nonces, seat])
      return (!this.said.has(said) || wanted) && this.said.add(said)
    })
    if (!due.length) return
    const { begin, where } = await import('./beginning')
    this.problem = ''
    for (const follow of due) this.problem ||= await begin(follow, wanted)
    this.begins = await where(ours)
  }

  /** Whether one may go on choosing after it, and nobody has heard of anything. */
  isQuiet({ decision }: Choice): boolean {
    const { prompt } = this
    const place = prompt?.options.findIndex((one) => JSON.stringify(one) === JSON.stringify(decision))
    return place !== undefined && Boolean(prompt?.quiet?.includes(place))
  }

  /** Whether one that is quiet must be held back: others are not to count what is chosen here. */
  get sealed(): boolean {
    return this.prompt?.sealed ?? false
  }

  /** Sends a choice, and with it those held back; or holds it back with them if it is quiet and is to be kept.
   * What it leaves to choose from only the server can say, and says to nobody else. */
  decide(choice: Choice, keep = false): Promise<Answered> {
    const choices = [...(this.ahead?.choices ?? []), choice]
    const held = (keep || this.sealed) && this.isQuiet(choice) && choices.length < MOST
    return held ? this.foresee(choices) : this.submit(choices)
  }

  /** Takes several choices as one, all of them quiet but perhaps the last; or holds them back. */
  take(several: readonly Choice[], keep: boolean, what = ''): Promise<Answered> {
    const choices = [...(this.ahead?.choices ?? []), ...several]
    return keep ? this.foresee(choices) : this.submit(choices, what)
  }

  private async foresee(choices: readonly Choice[]): Promise<Answered> {
    const { active } = this
    const { upto, raw } = active.folded
    let id = ''
    try {
      const named = (command: string): void => {
        id = command
        this.underWay = { command, by: active }
      }
      const decisions = choices.map(({ decision }) => decision)
      const answer = await active.command({ t: 'foresee', answers: upto, decisions }, { named })
      if (answer.ok && answer.foreseen?.upto === upto) {
        const { prompt, patch } = answer.foreseen
        this.held = { by: active, upto, asked: asked(active), choices, prompt, view: whole(patched(raw, patch)) }
      }
      return answer
    } finally {
      if (this.underWay?.command === id) this.underWay = null
    }
  }

  /** Asks what a bot would decide in this step; null if the match goes on meanwhile, or it is refused. */
  async propose(): Promise<Proposed | null> {
    const { active, ahead } = this
    const { upto, raw } = active.folded
    const held = ahead?.choices.map(({ decision }) => decision) ?? []
    const answer = await active.command({ t: 'suggest', answers: upto, decisions: held })
    if (!answer.ok || answer.suggested?.upto !== upto) return null
    const { decisions, last, patch } = answer.suggested
    return {
      decisions: decisions.slice(held.length) as Decision[],
      last: last as Decision | undefined,
      view: whole(patched(raw, patch)),
    }
  }

  /** Sends choices as one command; `what` they are in words, if not each by itself. */
  private async submit(choices: readonly Choice[], what = ''): Promise<Answered> {
    const { active } = this
    const { seat } = active
    const deed = seat === null ? null : { seat, what: what || this.bundle || inShort(choices) }
    let id = ''
    const shown = (): void => {
      if (this.underWay?.command === id) this.underWay = null
    }
    const named = (command: string): void => {
      id = command
      this.underWay = { command, by: active }
      if (deed) this.decided.set(command, { ...deed, given: choices.map(({ decision }) => decision.type) })
    }
    const decisions = choices.map(({ decision }) => decision)
    const sent = decisions.length > 1 ? { decisions } : { decision: decisions[0] }
    try {
      const answer = await active.command({ t: 'decide', answers: active.folded.upto, ...sent }, { named, shown })
      if (answer.ok && deed) this.done({ ...deed, seq: answer.seq })
      if (answer.ok) await active.reached(answer.seq)
      return answer
    } finally {
      shown()
      this.held = null
    }
  }

  /** Gathers the picks of a bundle, each from the list of its moment, and sends them as one command; or keeps them
   * held back with what else is. The last pick of it is not sent but returned, those before it held, where one could not
   * go on after it. */
  async gather(bundle: Bundle, choices: () => Choice[], keep: boolean): Promise<Choice | null> {
    const { seat } = this.active
    this.bundle = bundle.label
    try {
      for (let round = 0; round < MOST && !this.stop && this.bundle; round++) {
        if (this.active.seat !== seat) return null
        const next = bundle.next(choices())
        if (next && !this.isQuiet(next) && taken(bundle, choices()).length === 1) return next
        if (!next || !(await this.decide(next, true)).ok) break
      }
      const held = this.ahead
      if (held && !keep && !held.prompt.sealed) await this.submit(held.choices)
      return null
    } finally {
      this.bundle = ''
    }
  }

  /** What was decided from here with a move: by its facts, or where none of them is seen by its place. */
  deedOf({ facts, after, upto }: Move): Deed | undefined {
    const own = facts.findLast(({ command }) => this.decided.has(command))
    return (own && this.decided.get(own.command)) ?? this.deeds.findLast(({ seq }) => seq > after && seq <= upto)
  }

  private done(deed: KeptDeed): void {
    this.deeds = [...this.deeds, deed]
    keepDeed(this.match, deed)
  }

  /** What a seat decided after a fact and before another, if it did from here; or ''. */
  readonly deedAfter: DeedAfter = (...where) => deedAfter(this.deeds, ...where)

  /** The types of the decisions that were given from here with a move; null if none was. */
  givenWith({ facts }: Move): readonly string[] | null {
    const own = facts.find(({ command }) => this.decided.has(command))
    return own ? this.decided.get(own.command)!.given : null
  }

  /** Whether a command was decided from here. */
  isOwn(command: string): boolean {
    return this.decided.has(command)
  }

  send(command: Command): Promise<Answered> {
    return this.active.command(command)
  }

  /** Lets all choices go that are held back but the first ones. */
  async unhold(first: number): Promise<void> {
    const choices = this.ahead?.choices.slice(0, first) ?? []
    if (!choices.length) this.held = null
    else await this.foresee(choices)
  }

  /** Offers a pause. Where all seats are played from here they agree at once. */
  async pause(): Promise<void> {
    const { active } = this
    const answer = await active.command({ t: 'offer', what: 'pause' })
    if (!answer.ok || this.seats.length < active.folded.view.match.seats.length) return
    await active.reached(answer.seq)
    if (active.folded.view.match.pause) this.answer('pause', true)
  }

  /** A way of ours was renewed, here or in another tab. */
  private renewed(event: StorageEvent): void {
    if (event.key === keyOf(this.match)) this.renew()
  }

  /** Looks again at what is kept, and watches on with the tokens of now. */
  renew(): void {
    this.kept = kept(this.match)
    for (const follow of this.follows) {
      const { welcome } = follow
      const way = this.kept?.ways.find((one) => one.role === welcome?.role && (one.seat ?? null) === follow.seat)
      if (way) follow.renew(way.token, way.heir)
    }
  }

  /** Makes a link of one's own void; returns the path of the new one. Raises Error with the server's reason. */
  async exchange(way: Way): Promise<string> {
    const { exchange } = await import('./links')
    const path = await exchange(this.match, way)
    this.renew()
    return path
  }

  /** As the creator, makes the link of a seat void; returns the path of the new one. Raises Error likewise. */
  async revoke(seat: number): Promise<string> {
    const creator = this.kept?.ways.find((way) => way.role === 'creator')
    if (!creator) throw new Error('Only whoever offered the match can replace its links.')
    const { revoke } = await import('./links')
    const path = await revoke(this.match, creator, seat)
    this.renew()
    return path
  }

  /** Says something for the seat that may: an answer to an offer comes from a seat that has not agreed yet. */
  answer(what: 'draw' | 'undo' | 'pause', agreed: boolean): void {
    for (const follow of this.follows) {
      const { seat } = follow
      if (seat !== null && !follow.folded.view.match[what]?.includes(seat)) void follow.command({ t: 'answer', what, agreed })
    }
  }
}
