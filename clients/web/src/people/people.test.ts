import { afterEach, describe, expect, test, vi } from 'vitest'
import { another, isHandle, suggested } from './handles'
import { deviceName, hindrance } from './passkeys'
import { pushHindrance } from './push'
import { nightOf, NIGHTS, ownLanguage, ownZone } from './zones'

const at = (address: string): Location => new URL(address) as unknown as Location

describe('a handle', () => {
  test('is made of a name, without what no handle has', () => {
    expect(suggested('Red Admiral')).toBe('red_admiral')
    expect(suggested('  Été-Rouge  ')).toBe('ete_rouge')
    expect(suggested('The very longest name of an admiral')).toBe('the_very_longest_nam')
  })

  test('is made of chance where a name has too little for one', () => {
    expect(suggested('', () => 0)).toBe('admiral_1000')
    expect(suggested('山本', () => 0.999)).toBe('signals_9991')
  })

  test('gets another number where it is taken, and stays a handle', () => {
    expect(another('red_admiral', () => 0)).toBe('red_admiral_1000')
    expect(another('red_admiral_1000', () => 0.5)).toBe('red_admiral_5500')
    expect(isHandle(another('a'.repeat(20)))).toBe(true)
  })
})

describe('passkeys', () => {
  test('can be had at a name over https, and at localhost', () => {
    Object.assign(window, { PublicKeyCredential: { parseCreationOptionsFromJSON: null } })
    expect(hindrance('', at('https://play.example/you'), true)).toBeNull()
    expect(hindrance('', at('http://localhost:8000/you'), true)).toBeNull()
  })

  test('cannot at an address of digits, where the same page at localhost is named if it is this machine', () => {
    const own = hindrance('Digits.', at('http://127.0.0.1:8000/you'), true)
    expect(own?.where).toBe('http://localhost:8000/you')
    expect(hindrance('Digits.', at('http://192.0.2.7/you'), false)).toEqual({ why: 'Digits.', where: '' })
  })

  test('cannot over plain http elsewhere', () => {
    expect(hindrance('', at('http://play.example/you'), false)?.why).toContain('https')
  })

  test('are called after the device at first', () => {
    expect(deviceName('Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X)')).toBe('iPhone')
    expect(deviceName('Mozilla/5.0 (Linux; Android 15)')).toBe('Android')
    expect(deviceName('something else')).toBe('Passkey')
  })
})

describe('pushes', () => {
  afterEach(() => void vi.unstubAllGlobals())

  test('can be had where the page is safe and the browser takes them', () => {
    vi.stubGlobal('navigator', { serviceWorker: {} })
    vi.stubGlobal('PushManager', {})
    expect(pushHindrance(true)).toBe('')
  })

  test('cannot over plain http, whatever the browser takes', () => {
    vi.stubGlobal('navigator', { serviceWorker: {} })
    vi.stubGlobal('PushManager', {})
    expect(pushHindrance(false)).toContain('where the page comes over https')
  })

  test.each([
    ['a worker', {}, { PushManager: {} }],
    ['a service that pushes', { serviceWorker: {} }, {}],
  ])('cannot in a browser without %s, as on an iPhone before the page is on its home screen', (_, navigator, others) => {
    vi.stubGlobal('navigator', navigator)
    for (const [name, other] of Object.entries(others)) vi.stubGlobal(name, other)
    expect(pushHindrance(true)).toContain('home screen')
  })
})

describe('what a browser says of itself', () => {
  test.each([
    ['Europe/Berlin', 'Europe/Berlin'],
    ['Etc/Unknown', 'UTC'],
    ['+05:30', 'UTC'],
    ['', 'UTC'],
  ])('is a zone that a server knows: %s', (said, zone) => {
    const options = vi.spyOn(Intl.DateTimeFormat.prototype, 'resolvedOptions')
    options.mockReturnValue({ timeZone: said } as Intl.ResolvedDateTimeFormatOptions)
    expect(ownZone()).toBe(zone)
    options.mockRestore()
  })

  test.each([
    ['de-AT', 'de-AT'],
    ['en-US@posix', ''],
    ['', ''],
  ])('is a language that a server knows: %s', (said, language) => {
    const own = vi.spyOn(navigator, 'language', 'get').mockReturnValue(said)
    expect(ownLanguage()).toBe(language)
    own.mockRestore()
  })
})

describe('a night', () => {
  test('is eight hours, also over midnight', () => {
    expect(NIGHTS).toHaveLength(24)
    expect(nightOf(22)).toBe('22:00 to 6:00')
    expect(nightOf(0)).toBe('0:00 to 8:00')
  })
})
