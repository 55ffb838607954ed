/** All sounds, made here from tones and noise. Loaded when sound is on. */

import type { Sound } from '../titles/title'

let audio: AudioContext | undefined
let noise: AudioBuffer | undefined

/** Between the beginnings of two sounds that are played together; s. */
const APART = 0.28

interface Voice {
  context: AudioContext
  out: AudioNode
  at: number
}

interface Shape {
  /** Seconds until it is loudest, and until it has died away. */
  rise?: number
  length: number
  loud: number
}

/** A volume that rises and dies away. */
function envelope({ context, out, at }: Voice, { rise = 0.005, length, loud }: Shape): GainNode {
  const gain = context.createGain()
  gain.gain.setValueAtTime(0.0001, at)
  gain.gain.exponentialRampToValueAtTime(loud, at + rise)
  gain.gain.exponentialRampToValueAtTime(0.0001, at + length)
  gain.connect(out)
  return gain
}

/** A tone that slides from one pitch to another. */
function tone(voice: Voice, shape: Shape, from: number, to = from, type: OscillatorType = 'sine'): void {
  const { context, at } = voice
  const oscillator = context.createOscillator()
  oscillator.type = type
  oscillator.frequency.setValueAtTime(from, at)
  oscillator.frequency.exponentialRampToValueAtTime(to, at + shape.length)
  oscillator.connect(envelope(voice, shape))
  oscillator.start(at)
  oscillator.stop(at + shape.length)
}

/** Noise of which a band is heard. */
function burst(voice: Voice, shape: Shape, pitch: number, type: BiquadFilterType = 'lowpass', to = pitch): void {
  const { context, at } = voice
  if (!noise) {
    noise = context.createBuffer(1, 2 * context.sampleRate, context.sampleRate)
    const samples = noise.getChannelData(0)
    for (let place = 0; place < samples.length; place++) samples[place] = 2 * Math.random() - 1
  }
  const source = context.createBufferSource()
  source.buffer = noise
  const filter = context.createBiquadFilter()
  filter.type = type
  filter.Q.value = type === 'bandpass' ? 2.5 : 0.7
  filter.frequency.setValueAtTime(pitch, at)
  filter.frequency.exponentialRampToValueAtTime(to, at + shape.length)
  source.connect(filter).connect(envelope(voice, shape))
  source.start(at, Math.random())
  source.stop(at + shape.length)
}

const later = (voice: Voice, by: number): Voice => ({ ...voice, at: voice.at + by })

const SOUNDS: Record<Sound, (voice: Voice) => void> = {
  dice: (voice) => {
    for (const by of [0, 0.05, 0.09, 0.16, 0.2, 0.27]) {
      burst(later(voice, by), { length: 0.045, loud: 0.5 - by }, 1_900 + 4_000 * Math.random(), 'bandpass')
    }
  },
  // Two engines a little out of tune beat against each other, and come nearer.
  engines: (voice) => {
    const shape = { rise: 0.7, length: 1.8, loud: 0.16 }
    tone(voice, shape, 82, 96, 'sawtooth')
    tone(voice, shape, 85, 101, 'sawtooth')
    burst(voice, { ...shape, loud: 0.22 }, 300, 'lowpass', 700)
  },
  flak: (voice) => {
    for (const by of [0, 0.13, 0.21, 0.36]) {
      burst(later(voice, by), { length: 0.2, loud: 0.5 }, 900, 'lowpass', 160)
      tone(later(voice, by), { length: 0.12, loud: 0.3 }, 150, 60)
    }
  },
  hit: (voice) => {
    burst(voice, { length: 0.9, loud: 0.9 }, 1_200, 'lowpass', 90)
    tone(voice, { length: 0.8, loud: 0.8 }, 78, 34)
  },
  sinking: (voice) => {
    burst(voice, { length: 0.8, loud: 0.8 }, 700, 'lowpass', 80)
    tone(later(voice, 0.25), { rise: 0.3, length: 2.2, loud: 0.35 }, 150, 38, 'triangle')
    for (let bubble = 0; bubble < 9; bubble++) {
      const pitch = 240 + 260 * Math.random()
      tone(later(voice, 0.8 + 0.14 * bubble), { length: 0.11, loud: 0.12 }, pitch, 1.7 * pitch)
    }
  },
  card: (voice) => {
    burst(voice, { rise: 0.03, length: 0.13, loud: 0.4 }, 2_600, 'bandpass', 5_200)
    burst(later(voice, 0.12), { length: 0.05, loud: 0.5 }, 700, 'lowpass')
  },
  bell: (voice) => {
    tone(voice, { length: 1.6, loud: 0.3 }, 523.25)
    tone(voice, { length: 0.9, loud: 0.13 }, 1_408)
  },
  chat: (voice) => {
    tone(voice, { length: 0.14, loud: 0.16 }, 740, 740, 'triangle')
    tone(later(voice, 0.09), { length: 0.2, loud: 0.16 }, 988, 988, 'triangle')
  },
}

/** Plays sounds; `volume` is from 0 to 1. */
export function play(sounds: readonly Sound[], volume: number): void {
  audio ??= new AudioContext()
  // Until somebody has clicked, the browser keeps it silent.
  if (audio.state === 'suspended') void audio.resume()
  const out = audio.createGain()
  out.gain.value = volume
  out.connect(audio.destination)
  const begin = audio.currentTime + 0.02
  sounds.forEach((sound, place) => SOUNDS[sound]({ context: audio!, out, at: begin + APART * place }))
}
