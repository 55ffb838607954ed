/** Whether the server has a newer page than this one, which was loaded before the server was upgraded. This one is
 * loaded anew at a quiet moment: nothing chosen, held back or on its way, nothing typed, no dialog open, nobody at it. */

import { mount } from 'svelte'
import Renewed from '../parts/Renewed.svelte'

const QUIET_MS = 4_000
const LOOK_MS = 1_000

/** Whether something would be lost if the page were loaded anew now. */
type Busy = () => boolean

export class Renewal {
  /** There is a newer page. */
  private ready = false
  private readonly busy = new Set<Busy>()
  /** Text fields of forms in which something was typed. */
  private readonly fields = new Set<HTMLInputElement | HTMLTextAreaElement>()
  private touched = 0
  private timer: ReturnType<typeof setInterval> | undefined

  constructor() {
    document.addEventListener('input', ({ target }) => {
      if ((target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement) && target.form) this.fields.add(target)
    })
  }

  /** Asks the server which page it serves. To be called when a connection came back: before that it was not restarted. */
  async look(): Promise<void> {
    const own = document.querySelector<HTMLScriptElement>('script[type="module"][src]')
    if (this.ready || !own) return
    try {
      const answer = await fetch('/', { cache: 'no-store' })
      // Its name holds a hash of what it is.
      if (answer.ok && !(await answer.text()).includes(new URL(own.src).pathname)) this.found()
    } catch {
      // The server went away again; when it is back, this is asked again.
    }
  }

  /** Holds the reload back while this says so, until what is returned is called. */
  hold(busy: Busy): () => void {
    this.busy.add(busy)
    return () => this.busy.delete(busy)
  }

  /** Part of this page is to be had no more: it is loaded anew at once, or, if something would be lost, at a quiet moment. */
  overdue(): void {
    if (this.loses()) this.found()
    else this.go()
  }

  private found(): void {
    if (this.ready) return
    this.ready = true
    // It is here already: the server has the parts of this page no more.
    mount(Renewed, { target: document.body, props: { now: () => this.go() } })
    const touch = (): void => void (this.touched = Date.now())
    for (const what of ['pointerdown', 'pointermove', 'keydown', 'wheel']) addEventListener(what, touch, { passive: true })
    touch()
    this.timer = setInterval(() => this.quiet() && this.go(), LOOK_MS)
  }

  private quiet(): boolean {
    return !this.loses() && (document.hidden || Date.now() - this.touched > QUIET_MS)
  }

  private loses(): boolean {
    if ([...this.busy].some((busy) => busy()) || document.querySelector('dialog[open]')) return true
    return [...this.fields].some((field) => field.isConnected && field.value)
  }

  private go(): void {
    clearInterval(this.timer)
    location.reload()
  }
}

export const renewal = new Renewal()
