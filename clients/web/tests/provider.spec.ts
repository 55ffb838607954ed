import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { test as base, expect, freshHandle, signUp, whoami } from './passkeys'
import { project, python, type Server, startServer } from './server'

const SECRET = 'what the provider knows this server by'

/** A server that takes the provider of the tests (`tests/server/provider.py`). */
const test = base.extend<object, { server: Server }>({
  server: [
    async ({}, use) => {
      const harbour = spawn(python, ['-m', 'tests.server.provider'], { cwd: project, stdio: ['pipe', 'pipe', 'inherit'] })
      const { value } = (await createInterface({ input: harbour.stdout })[Symbol.asyncIterator]().next()) as { value: string }
      const server = await startServer({
        FLEETFOLD_OIDC_ISSUER: value,
        FLEETFOLD_OIDC_CLIENT_ID: 'fleetfold',
        FLEETFOLD_OIDC_CLIENT_SECRET: SECRET,
        FLEETFOLD_OIDC_NAME: 'Harbour',
      })
      await use(server)
      await server.stop()
      harbour.stdin.end()
    },
    { scope: 'worker' },
  ],
})

test('the provider is added by going there, brings one in on another browser, and is removed', async ({ known }) => {
  const [here, there] = [(await known.browser()).page, (await known.browser()).page]
  const handle = freshHandle()
  await signUp(here, handle)
  await here.getByRole('button', { name: 'Add Harbour' }).click()
  await expect(here.getByText('You can sign in with Harbour.')).toBeVisible()

  await there.goto('/you')
  await there.getByRole('button', { name: 'Sign in, or up, with Harbour' }).click()
  await expect(whoami(there)).toHaveText(handle)

  await here.getByRole('button', { name: 'Remove Harbour' }).click()
  await here.getByRole('button', { name: 'Yes, remove Harbour' }).click()
  await expect(here.getByRole('button', { name: 'Add Harbour' })).toBeVisible()
})
