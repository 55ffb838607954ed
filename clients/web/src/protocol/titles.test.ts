import { afterEach, expect, test, vi } from 'vitest'
import { titles, wholeTitles } from './http'

afterEach(() => void vi.unstubAllGlobals())

test('titles are asked for once, in short or whole, and again where no answer came', async () => {
  const asked: string[] = []
  let there = false
  vi.stubGlobal('fetch', (path: string) => {
    asked.push(path)
    return there ? Promise.resolve(new Response(JSON.stringify([{ name: path }]))) : Promise.reject(new Error('away'))
  })

  await expect(titles()).rejects.toThrow('The server cannot be reached.')
  there = true
  const short = await titles()
  const whole = await wholeTitles()

  expect([short, whole]).toEqual([[{ name: '/api/titles?short=1' }], [{ name: '/api/titles' }]])
  expect([await titles(), await wholeTitles()]).toEqual([short, whole])
  expect(asked).toEqual(['/api/titles?short=1', '/api/titles?short=1', '/api/titles'])
})
