/** A match as one token sees it, followed live: the folded view, the facts, the prompts, what was sent and
 * not yet answered. Sending is by command id, so after a lost connection the same command goes out again and
 * has one effect. Deliberately absent: any rule. */

import { tick } from 'svelte'
import { filledIn, type Folded, foldFrame, foldView, NOTHING } from '../protocol/fold'
import * as records from '../protocol/records'
import { type Line, Socket, socketUrl } from '../protocol/socket'
import type { Foreseen, Incoming, Outgoing, Presence, Refused, Said, Suggested, Welcome } from '../protocol/wire'
import { uuid } from '../protocol/uuid'
import { keepReceipt } from './progress'
import { renewal } from './renewal'

export const VERSION = 1

type Commanding = Extract<Incoming, { command: string; match: string }>
/** A command as its author writes it: without match and id. */
export type Command = Commanding extends infer One ? (One extends Commanding ? Omit<One, 'command' | 'match'> : never) : never

/** Refusals after which the same command is sent again by itself, and after how long. */
const AGAIN_MS: Partial<Record<Refused['code'], number>> = { busy: 400, unavailable: 700, conflict: 150, too_fast: 2_500 }
const MOST_ROUNDS = 12
/** What a welcome makes good: the link has been made anew, or there was no showing the match. */
const MENDED = new Set<Refused['code']>(['bad_token', 'busy', 'unavailable', 'conflict'])
/** Hellos that did not mend a hole, after which the view is asked for. */
const HOLES = 3
/** What comes within this time of a change that was shown is shown together, or within the time that drawing it took:
 * no screen is faster, and a page that catches up on hundreds of frames takes them in and stays answerable. */
const FRAME_MS = 16
/** Out of sight for so long, a match gives up its connection until it is looked at again: to the server its seat is away then,
 * and is called when it is its turn. */
const REST_MS = 600_000

interface Sent {
  message: Commanding
  rounds: number
  settle(answer: Answered): void
  shown: () => void
}

/** What a command's author may hear of before its receipt. */
export interface Hearing {
  /** Its id, before anything can come of it. */
  named?: (id: string) => void
  /** The view shows what came of it; the receipt follows. */
  shown?: () => void
}

export type Answered = { ok: true; seq: number; foreseen?: Foreseen; suggested?: Suggested } | { ok: false; refused: Refused }

export class Follow {
  folded = $state.raw<Folded>(NOTHING)
  welcome = $state.raw<Welcome | null>(null)
  presence = $state.raw<Presence | null>(null)
  /** The match that those who played this one play next, once somebody has sat down there. */
  rematch = $state('')
  line = $state<Line>('connecting')
  /** Why this match cannot be followed; nothing more will come. */
  refusal = $state.raw<Refused | null>(null)
  /** The last command that was refused, for the reader. */
  refused = $state.raw<Refused | null>(null)
  chat = $state.raw<Said[]>([])
  waiting = $state(0)

  /** All that has come, of which `folded` is what is shown. */
  private newest: Folded = NOTHING
  private resting = false
  private readonly socket: Socket
  private evening: ReturnType<typeof setTimeout> | undefined
  private readonly turned = (): void => {
    clearTimeout(this.evening)
    if (document.hidden) this.evening = setTimeout(() => this.sleep(), REST_MS)
  }
  private readonly sent = new Map<string, Sent>()
  private readonly awaited: { seq: number; go: () => void }[] = []
  private helloed = false
  private holes = 0
  /** The facts before the view, as they are fetched by the token of then. */
  filling = Promise.resolve()

  constructor(
    readonly match: string,
    public token: string,
    /** What opens the seat once it is taken by that token, which is void then. */
    public heir = '',
    /** Whether the log of before is wanted, and not only the view. */
    private readonly log = true,
    /** Without a link: by the session of the person who is signed in; a number is the seat that is meant. */
    private readonly mine: number | boolean = false,
  ) {
    this.socket = new Socket(socketUrl(), {
      opened: () => this.hello(),
      said: (message) => this.take(message),
      line: (line) => {
        // It was there before, so it may have been upgraded since.
        if (line === 'open' && this.welcome) void renewal.look()
        this.line = line
        if (line !== 'open') this.helloed = false
      },
    })
    document.addEventListener('visibilitychange', this.turned)
  }

  get seat(): number | null {
    return this.welcome?.seat ?? null
  }

  /** What opens the match now: from the moment that a seat is seen to be taken its link may be void. */
  get opener(): string {
    const { seat, heir } = this
    return heir && seat !== null && this.newest.view.match.taken[seat] ? heir : this.token
  }

  get side(): number | null {
    return this.welcome?.side ?? null
  }

  /** Not where a clock runs by the minute: there an opponent is to see who is at the board, though he looks elsewhere. */
  private sleep(): void {
    const { clock } = this.newest.view.match
    if (document.hidden && !this.sent.size && (!clock || clock.by_claim)) this.socket.rest()
  }

  close(): void {
    clearTimeout(this.evening)
    document.removeEventListener('visibilitychange', this.turned)
    this.socket.close()
    for (const sent of this.sent.values()) sent.settle({ ok: false, refused: this.lostWord(sent.message) })
    this.sent.clear()
  }

  /** Sends a command; resolves when its receipt is here or it is refused. A lost connection only makes it later. */
  command(command: Command, { named, shown }: Hearing = {}): Promise<Answered> {
    const message = { ...command, match: this.match, command: uuid() }
    named?.(message.command)
    return new Promise((settle) => {
      this.sent.set(message.command, { message, rounds: 0, settle, shown: () => shown?.() })
      this.waiting = this.sent.size
      if (this.helloed) this.socket.send(message)
    })
  }

  /** Says something that is no command: chat, exchange, revoke. */
  say(message: Incoming): boolean {
    return this.socket.send(message)
  }

  /** The old token is void: watch on with the new one. */
  renew(token: string, heir = ''): void {
    this.heir = heir
    if (token === this.token) return
    this.token = token
    if (this.line === 'open') this.hello()
  }

  /** Resolves when the view has reached a fact. */
  reached(seq: number): Promise<void> {
    if (this.folded.upto >= seq) return Promise.resolve()
    return new Promise((go) => this.awaited.push({ seq, go }))
  }

  private hello(): void {
    this.helloed = false
    const { upto, h } = this.holes < HOLES ? this.newest : NOTHING
    const { match, token, mine } = this
    const by = mine === false ? {} : mine === true ? { mine: true } : { mine: true, seat: mine }
    this.socket.send({ t: 'hello', version: VERSION, match, token, after: upto, h, ...by })
  }

  private take(message: Outgoing): void {
    if ('match' in message && message.match && message.match !== this.match) return
    switch (message.t) {
      case 'welcome':
        this.welcome = message
        this.helloed = true
        if (this.refused && MENDED.has(this.refused.code)) this.refused = null
        for (const { message: again } of this.sent.values()) this.socket.send(again)
        break
      case 'frame': {
        // What comes before the welcome comes again after it.
        if (!this.helloed) break
        const folded = foldFrame(this.newest, message)
        if (folded === 'hole') this.missed()
        else if (folded !== 'old') this.moved(folded)
        else if (message.upto === this.newest.upto) this.moved({ ...this.newest, prompts: message.prompts })
        break
      }
      case 'view': {
        if (!this.helloed) break
        // Older than what was shown though nothing was said to be known: the log does not reach it any more.
        const lost = this.holes >= HOLES && message.upto < this.newest.upto
        const folded = foldView(lost ? NOTHING : this.newest, message)
        if (folded === 'old') this.missed()
        else {
          this.moved(folded)
          if (this.log) this.filling = this.fillIn()
        }
        break
      }
      case 'receipt':
        keepReceipt(this.match, { seq: message.seq, h: message.h })
        this.settle(message.command, { ok: true, seq: message.seq })
        break
      case 'foreseen':
        this.settle(message.command, { ok: true, seq: message.upto, foreseen: message })
        break
      case 'suggested':
        this.settle(message.command, { ok: true, seq: message.upto, suggested: message })
        break
      case 'refused':
        this.refusedWith(message)
        break
      case 'linked':
        this.token = message.link.token
        this.heir = ''
        break
      case 'rematched':
        this.rematch = message.next
        break
      case 'presence':
        this.presence = message
        break
      case 'said':
        if (!this.chat.some((one) => one.id === message.id && one.room === message.room)) {
          this.chat = [...this.chat, message].sort((one, other) => one.id - other.id)
        }
        break
      default:
    }
  }

  /** What came leaves a hole, or lies behind what was shown. */
  private missed(): void {
    this.holes++
    this.hello()
  }

  private moved(folded: Folded): void {
    this.newest = folded
    this.holes = 0
    if (!this.resting) this.show()
  }

  private show(): void {
    const folded = this.newest
    this.folded = folded
    this.resting = true
    void this.rest(performance.now())
    for (const { seq, go } of this.awaited.filter((one) => one.seq <= folded.upto)) {
      this.awaited.splice(
        this.awaited.findIndex((one) => one.seq === seq && one.go === go),
        1,
      )
      go()
    }
    for (const [command, { shown }] of this.sent) if (folded.facts.findLast((fact) => fact.command === command)) shown()
  }

  /** Shows nothing more for a frame, and for as long as it took to draw what is shown now. */
  private async rest(begun: number): Promise<void> {
    await tick()
    setTimeout(
      () => {
        this.resting = false
        if (this.newest !== this.folded) this.show()
      },
      Math.max(FRAME_MS, performance.now() - begun),
    )
  }

  private refusedWith(refused: Refused): void {
    const again = refused.command ? this.sent.get(refused.command) : undefined
    // Whether the link was void before or has become so meanwhile: what waits is sent again by the other.
    if (refused.code === 'bad_token' && this.heir) this.renew(this.heir)
    else if (again && AGAIN_MS[refused.code] && again.rounds++ < MOST_ROUNDS) {
      // Nobody knows whether it was stored, or there was no room: the same command once more, one effect.
      setTimeout(() => this.helloed && this.socket.send(again.message), AGAIN_MS[refused.code])
    } else if (refused.command && again) {
      this.refused = refused
      this.settle(refused.command, { ok: false, refused })
    } else if (!refused.command && AGAIN_MS[refused.code] && !(this.helloed && refused.code === 'too_fast')) {
      // Whether before the welcome or after it: the match is not watched. After it only talk is too fast.
      if (this.helloed) this.refused = refused
      this.helloed = false
      setTimeout(() => this.line === 'open' && !this.helloed && this.hello(), AGAIN_MS[refused.code])
    } else if (!this.welcome) {
      this.refusal = refused
      for (const command of [...this.sent.keys()]) this.settle(command, { ok: false, refused })
    } else {
      this.refused = refused
    }
  }

  private settle(command: string, answer: Answered): void {
    this.sent.get(command)?.settle(answer)
    this.sent.delete(command)
    this.waiting = this.sent.size
    if (answer.ok) this.refused = null
  }

  /** The view came at once and the facts before it did not: fetch them for the log, of a long match the last. */
  private async fillIn(): Promise<void> {
    const { match, opener, newest } = this
    try {
      const lines = await (newest.upto > records.WHOLE
        ? records.steps(match, opener, null, newest.upto - records.LONGEST)
        : records.steps(match, opener))
      this.moved(filledIn(this.newest, lines))
    } catch {
      // The log is a comfort here; the view is whole without it, and the next look fetches it again.
    }
  }

  private lostWord(message: Commanding): Refused {
    return { t: 'refused', code: 'unavailable', reason: 'The page was left before an answer came.', command: message.command }
  }
}

/** Opens a connection for one request that needs no match: creating one. */
export function create(message: Extract<Incoming, { t: 'create' }>): Promise<Extract<Outgoing, { t: 'created' }>> {
  return new Promise((done, fail) => {
    const socket = new Socket(socketUrl(), {
      opened: () => void socket.send(message),
      said: (answer) => {
        if (answer.t === 'created') done(answer)
        else if (answer.t === 'refused') fail(new Error(answer.reason))
        else return
        socket.close()
      },
      line: () => undefined,
    })
  })
}
