/** Theme, sound, the pace of what is shown happening and how much is explained, as chosen in this browser. */

import { keepTastes, type Tastes, tastes } from './keep'

const system = matchMedia('(prefers-color-scheme: light)')

class TastesNow {
  /** Empty: as the system has it. */
  theme = $state(tastes().theme)
  private systemLight = $state(system.matches)
  sound = $state(tastes().sound)
  volume = $state(tastes().volume)
  pace = $state(tastes().pace)
  undo = $state(tastes().undo)
  marks = $state(tastes().marks)
  explains = $state(tastes().explains)
  passes = $state(tastes().passes)
  begun = $state.raw(tastes().begun)

  setTheme(theme: '' | 'dark' | 'light'): void {
    this.theme = theme
    keepTastes({ theme })
    this.show()
  }

  setSound(sound: boolean): void {
    this.sound = sound
    keepTastes({ sound })
  }

  setVolume(volume: number): void {
    this.volume = volume
    keepTastes({ volume })
  }

  setPace(pace: Tastes['pace']): void {
    this.pace = pace
    keepTastes({ pace })
  }

  /** For how many seconds a pick that ends a step can be undone before it is sent. */
  setUndo(undo: number): void {
    this.undo = undo
    keepTastes({ undo })
  }

  setMarks(marks: boolean): void {
    this.marks = marks
    keepTastes({ marks })
  }

  setExplains(explains: boolean): void {
    this.explains = explains
    keepTastes({ explains })
  }

  /** It was shown how this title is played. */
  setBegun(title: string): void {
    if (this.begun.includes(title)) return
    this.begun = [...this.begun, title]
    keepTastes({ begun: this.begun })
  }

  /** Whether the page passes, against bots, where no card in hand answers. */
  setPasses(passes: boolean): void {
    this.passes = passes
    keepTastes({ passes })
  }

  /** Shows the theme from now on, and the system's whenever that changes. */
  start(): void {
    this.show()
    system.addEventListener('change', () => {
      this.systemLight = system.matches
      this.show()
    })
  }

  get light(): boolean {
    return this.theme ? this.theme === 'light' : this.systemLight
  }

  /** Writes the theme on the root element, where the style sheet looks. */
  private show(): void {
    document.documentElement.dataset.theme = this.light ? 'light' : 'dark'
  }
}

export const taste = new TastesNow()
