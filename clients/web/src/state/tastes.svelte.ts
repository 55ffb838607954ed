/** Theme and sound, as chosen in this browser. */

import { keepTastes, tastes } from './keep'

const system = matchMedia('(prefers-color-scheme: light)')

class TastesNow {
  /** Empty: as the system has it. */
  theme = $state(tastes().theme)
  private systemLight = $state(system.matches)
  sound = $state(tastes().sound)

  setTheme(theme: '' | 'dark' | 'light'): void {
    this.theme = theme
    keepTastes({ theme })
    this.show()
  }

  setSound(sound: boolean): void {
    this.sound = sound
    keepTastes({ sound })
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

let audio: AudioContext | undefined

/** A short tone, if sound is on: `turn` when one is asked, `dice` when dice fall, `chat` when somebody speaks. */
export function sound(what: 'turn' | 'dice' | 'chat'): void {
  if (!taste.sound) return
  audio ??= new AudioContext()
  const start = audio.currentTime
  const tones = { turn: [523, 784], dice: [220], chat: [988] }[what]
  tones.forEach((pitch, order) => {
    const oscillator = audio!.createOscillator()
    const gain = audio!.createGain()
    oscillator.type = 'triangle'
    oscillator.frequency.value = pitch
    const at = start + order * 0.12
    gain.gain.setValueAtTime(0.08, at)
    gain.gain.exponentialRampToValueAtTime(0.001, at + 0.18)
    oscillator.connect(gain).connect(audio!.destination)
    oscillator.start(at)
    oscillator.stop(at + 0.2)
  })
}
