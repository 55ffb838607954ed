// Writes src/protocol/wire.ts from the server's own schema (`server.http.answers.schema()`), so that no message and
// no answer is described twice. PYTHON names the interpreter; by default the project's own.
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { compile } from 'json-schema-to-typescript'

const here = dirname(fileURLToPath(import.meta.url))
const project = join(here, '..', '..', '..')
const own = join(project, '.venv', 'bin', 'python')
const python = process.env.PYTHON ?? (existsSync(own) ? own : 'python3')
const target = join(here, '..', 'src', 'protocol', 'wire.ts')

const ask = 'import json; from server.http.answers import schema; print(json.dumps(schema()))'
const schema = JSON.parse(execFileSync(python, ['-c', ask], { cwd: project, encoding: 'utf8' }))
const both = {
  ...schema,
  title: 'Wire',
  type: 'object',
  properties: Object.fromEntries(Object.keys(schema.$defs).map((name) => [name, { $ref: `#/$defs/${name}` }])),
}
const banner = '// Made from server/protocol/wire.py and server/http/answers.py by dev/types.mjs at every build. Do not edit.\n'
const text = await compile(both, 'Wire', {
  bannerComment: banner,
  additionalProperties: false,
  style: { semi: false, singleQuote: true, printWidth: 110 },
})
if (!existsSync(target) || readFileSync(target, 'utf8') !== text) writeFileSync(target, text)
