/** A real server with its own Postgres in a temporary folder, and a wire to it that a test may cut. */

import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { chmodSync, existsSync, mkdtempSync, rmSync } from 'node:fs'
import { connect, createServer, type Socket } from 'node:net'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

export const project = join(dirname(fileURLToPath(import.meta.url)), '..', '..', '..')
const installed = join(project, '.venv', 'bin', 'python')
export const python = existsSync(installed) ? installed : 'python3'

export interface Server {
  url: string
  restart(): Promise<void>
  /** Runs a module of Python on the data of the server, beside it; returns what it says at the end. */
  beside(...module: string[]): Promise<string>
  stop(): Promise<void>
}

function freePort(): Promise<number> {
  return new Promise((found) => {
    const probe = createServer().listen(0, '127.0.0.1', () => {
      const { port } = probe.address() as AddressInfo
      probe.close(() => found(port))
    })
  })
}

function run(port: number, folder: string, settings: Record<string, string>): Promise<ChildProcess> {
  const child = spawn(python, ['-m', 'tests.known_dice', 'serve'], {
    cwd: project,
    env: {
      ...process.env,
      FLEETFOLD_DATA: folder,
      FLEETFOLD_PORT: String(port),
      FLEETFOLD_DRAIN_SECONDS: '1',
      FLEETFOLD_OFFERS_PER_ADDRESS: '100000',
      FLEETFOLD_LOG_LEVEL: 'warning',
      ...settings,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let said = ''
  child.stderr.on('data', (text: Buffer) => (said += text.toString()))
  return new Promise((ready, failed) => {
    child.stdout.on('data', (text: Buffer) => text.toString().includes('http') && ready(child))
    child.once('exit', (code) => failed(new Error(`the server ended with ${code}: ${said.slice(-2000)}`)))
  })
}

function ended(child: ChildProcess): Promise<void> {
  return new Promise((done) => {
    if (child.exitCode !== null) done()
    else child.once('exit', () => done())
  })
}

/** `settings`: what it is told beside what all tests have. */
export async function startServer(settings: Record<string, string> = {}): Promise<Server> {
  const folder = mkdtempSync(join(tmpdir(), 'fleetfold-page-'))
  chmodSync(folder, 0o777) // as root, Postgres runs under another account
  const port = await freePort()
  let child = await run(port, folder, settings)
  const halt = async (): Promise<void> => {
    child.kill('SIGTERM')
    await ended(child)
  }
  return {
    url: `http://127.0.0.1:${port}`,
    beside: async (...module) => {
      const env = { ...process.env, FLEETFOLD_DATA: folder }
      const { stdout } = await promisify(execFile)(python, ['-m', ...module], { cwd: project, env })
      return stdout.trim().split('\n').at(-1) ?? ''
    },
    restart: async () => {
      await halt()
      child = await run(port, folder, settings)
    },
    stop: async () => {
      await halt()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

export interface Wire {
  url: string
  /** What the server says from now on is lost. */
  deafen(): void
  /** No connection any more, and no new one. */
  cut(): void
  mend(): void
  close(): void
}

/** A TCP proxy before a server. */
export async function startWire(server: string): Promise<Wire> {
  const target = new URL(server)
  const open = new Set<Socket>()
  let [deaf, severed] = [false, false]
  const proxy = createServer((near) => {
    if (severed) return near.destroy()
    const far = connect(Number(target.port), target.hostname)
    for (const socket of [near, far]) {
      open.add(socket)
      socket.on('error', () => undefined)
      socket.on('close', () => {
        open.delete(socket)
        near.destroy()
        far.destroy()
      })
    }
    near.on('data', (bytes) => far.write(bytes))
    far.on('data', (bytes) => deaf || near.write(bytes))
    return undefined
  })
  await new Promise<void>((done) => proxy.listen(0, '127.0.0.1', done))
  return {
    url: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`,
    deafen: () => (deaf = true),
    cut: () => {
      severed = true
      for (const socket of open) socket.destroy()
    },
    mend: () => {
      deaf = false
      severed = false
    },
    close: () => {
      for (const socket of open) socket.destroy()
      proxy.close()
    },
  }
}
