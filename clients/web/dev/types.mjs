// Writes the types of all that the server sends, from its own schemas, so that nothing of it is described twice: the
// messages and answers, and of each title its table, its decisions and its facts. Beside them stand values that
// follow from a schema. PYTHON names the interpreter; by default the project's own.
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { compile } from 'json-schema-to-typescript'

const here = dirname(fileURLToPath(import.meta.url))
const project = join(here, '..', '..', '..')
const own = join(project, '.venv', 'bin', 'python')
const python = process.env.PYTHON ?? (existsSync(own) ? own : 'python3')

const ask = `
import json
from domain.match.game import COMMON
from domain.titles import TITLES
from server.http import responses
from server.protocol import shown

def of(game):
    own = [fact for fact in game.facts if fact not in COMMON]
    return {"shown": shown.schema(game)["$defs"], "facts": shown.facts(own)["$defs"]}

titles = {name: of(game) for name, game in TITLES.items()}
reveal = {}
for fact in {fact for game in TITLES.values() for fact in game.facts}:
    if reveal.setdefault(fact.__name__, fact.reveals) != fact.reveals:
        raise SystemExit(f"{fact.__name__} reveals something in one title and nothing in another")
reveals = sorted(name for name, does in reveal.items() if does)
common = shown.facts(COMMON)["$defs"]
print(json.dumps({"wire": responses.schema()["$defs"], "facts": common, "titles": titles, "reveals": reveals}))
`
const { wire, facts, titles, reveals } = JSON.parse(execFileSync(python, ['-c', ask], { cwd: project, encoding: 'utf8' }))

/** A schema with its tuples in the older form: the compiler does not know `prefixItems`. */
function withTuples(schema) {
  if (Array.isArray(schema)) return schema.map(withTuples)
  if (typeof schema !== 'object' || schema === null) return schema
  const { prefixItems, ...rest } = schema
  const found = Object.fromEntries(Object.entries(rest).map(([key, value]) => [key, withTuples(value)]))
  return prefixItems ? { ...found, items: withTuples(prefixItems), additionalItems: false } : found
}

/** A value with nothing in it: zero, no words, empty lists, the first of several words; what may be left out is. */
function empty(schema, parts) {
  if (schema.$ref) return empty(parts[schema.$ref.split('/').at(-1)], parts)
  if (schema.enum) return schema.enum[0]
  const blank = { string: '', integer: 0, boolean: false, array: [] }[schema.type]
  if (blank !== undefined) return blank
  return Object.fromEntries((schema.required ?? []).map((key) => [key, empty(schema.properties[key], parts)]))
}

/** Writes the types of some parts, and of what they are made of, and behind them values by name, if they have changed. */
async function write(path, from, parts, names, values = {}) {
  const root = {
    title: 'All',
    type: 'object',
    properties: Object.fromEntries(names.map((name) => [name, { $ref: `#/$defs/${name}` }])),
    $defs: withTuples(parts),
  }
  const types = await compile(root, 'All', {
    bannerComment: `// Made from ${from} by dev/types.mjs at every build. Do not edit.\n`,
    additionalProperties: false,
    style: { semi: false, singleQuote: true, printWidth: 110 },
  })
  const consts = Object.entries(values).map(([name, value]) => `\nexport const ${name} = ${value}\n`)
  const text = types + consts.join('')
  const target = join(here, '..', 'src', path)
  if (!existsSync(target) || readFileSync(target, 'utf8') !== text) writeFileSync(target, text)
}

// What the views of all titles share is in each of their schemas. `View` is a message, too.
const { View, MatchView, CorrectionView, ClocksView, Seat, Hours, TimeOff } = Object.values(titles)[0].shown
const TableView = { ...View, title: 'TableView', properties: { ...View.properties, table: {} } }
const sent = { ...wire, Seat, Hours, TimeOff, CorrectionView, MatchView, ClocksView, TableView }
await write('protocol/wire.ts', 'server/protocol/ and server/http/responses.py', sent, Object.keys(sent), {
  'NO_MATCH: MatchView': JSON.stringify(empty(MatchView, sent)),
})
// Of all titles together, so that the page knows them before it has loaded one.
await write('protocol/facts.ts', 'domain/kernel/facts.py and domain/match/', facts, ['Fact'], {
  'REVEALS: readonly string[]': JSON.stringify(reveals),
})
for (const [name, title] of Object.entries(titles)) {
  const { Table, Decision } = title.shown
  const tags = Decision.anyOf.map(({ $ref }) => title.shown[$ref.split('/').at(-1)].properties.type.enum[0])
  await write(`titles/${name}/shown.ts`, `domain/${name}/shown.py and decisions.py`, title.shown, ['Table', 'Decision'], {
    'EMPTY: Table': JSON.stringify(empty(Table, title.shown)),
    DECISIONS: `${JSON.stringify(tags)} as const`,
  })
  await write(`titles/${name}/facts.ts`, `the facts of domain/${name}/`, title.facts, ['Fact'])
}
