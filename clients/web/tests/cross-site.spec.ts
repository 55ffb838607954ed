/** What a page of somebody else can do from a player's browser: open no socket, read nothing, show nothing of ours. */

import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, type Page, test } from '@playwright/test'
import { type Server, startServer } from './server'

let server: Server
let foreign = ''
const elsewhere = createServer((_, answer) => answer.setHeader('Content-Type', 'text/html').end('<title>Elsewhere</title>'))

test.beforeAll(async () => {
  server = await startServer()
  await new Promise<void>((done) => elsewhere.listen(0, '127.0.0.1', done))
  foreign = `http://127.0.0.1:${(elsewhere.address() as AddressInfo).port}`
})

test.afterAll(async () => {
  elsewhere.close()
  await server.stop()
})

/** Opens a socket to the server from a page; how that ended, and what the browser said about it. */
async function socketFrom(page: Page): Promise<{ ended: string; said: string }> {
  let said = ''
  page.on('console', (line) => (said += line.text()))
  const ended = await page.evaluate(
    (url) =>
      new Promise<string>((done) => {
        const socket = new WebSocket(`${url.replace('http', 'ws')}/socket`)
        socket.onopen = () => done('open')
        socket.onclose = () => done('closed')
      }),
    server.url,
  )
  return { ended, said }
}

test('a page of another origin opens no socket, the server’s own does', async ({ page }) => {
  await page.goto(foreign)
  const theirs = await socketFrom(page)
  await page.goto(server.url)
  const ours = await socketFrom(page)

  expect(theirs.ended).toBe('closed')
  expect(theirs.said).toContain('403')
  expect(ours.ended).toBe('open')
})

test('a page of another origin reads no answer and shows no page of ours', async ({ page }) => {
  await page.goto(foreign)
  const read = (): Promise<string> =>
    page.evaluate(
      (url) =>
        fetch(`${url}/api/matches`).then(
          (answer) => answer.text(),
          () => 'refused',
        ),
      server.url,
    )
  const theirs = await read()
  const said: string[] = []
  page.on('console', (line) => said.push(line.text()))
  await page.setContent(`<iframe src="${server.url}/"></iframe>`)
  await expect.poll(() => said.join()).toContain('frame-ancestors')
  await page.goto(server.url)
  const ours = await read()

  expect(theirs).toBe('refused')
  expect(ours).toContain('matches')
})
