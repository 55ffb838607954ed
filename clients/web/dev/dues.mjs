// What Pacific War's tables of dates change in a campaign, month by month, for its calendar.

/** What of a table the months change: whose, of which table and which part of it, and from when on it is what. */
const since = (side, of, part, steps) => ({ side, of, part, steps })

const replaced = ([nation, steps]) =>
  [...new Set(steps.flatMap(([, row]) => Object.keys(row)))].map((kind) =>
    since(
      nation === 'JP' ? 'JP' : 'AL',
      'replacements',
      `${nation}.${kind}`,
      steps.map(([month, row]) => [month, row[kind] ?? 0]),
    ),
  )

/** Of every campaign. */
function always({ date_modifiers: modifiers, strategic_intelligence: intelligence }) {
  return [
    ...Object.entries(modifiers).flatMap(([part, sides]) =>
      Object.entries(sides).map(([side, steps]) => since(side, part === 'kamikaze_allowed' ? 'kamikaze' : 'shifts', part, steps)),
    ),
    ...Object.entries(intelligence.level_by_d10).map(([side, steps]) => since(side, 'intelligence', '', steps)),
  ]
}

/** Of the war alone. */
function ofWar({ command_points: points, strategic_transport: transport, merchant, replacements }) {
  return [
    since('AL', 'points', 'US', Object.entries(points.allied_us)),
    since('AL', 'points', 'CW', Object.entries(points.allied_cw)),
    since('AL', 'transport', 'US', transport.al_us),
    since('AL', 'transport', 'CW', transport.al_cw),
    since('JP', 'escorts', '', merchant.dd_escort_limit),
    since('JP', 'hunters', '', merchant.asw.shift),
    since('JP', 'seas', '', merchant.marine_losses_by_d10),
    ...Object.entries(replacements)
      .filter(([, steps]) => Array.isArray(steps))
      .flatMap(replaced),
  ]
}

/** Points that come in a month of the war; what came in the month before does not count. */
const COMING = [
  ['JP', 'msp'],
  ['AL', 'al_submarines'],
  ['JP', 'jp_submarines'],
  ['JP', 'jp_escort_points'],
  ['AL', 'al_strategic_bombing_points'],
]

/** What becomes different, in rows: month, side, table, part, before, from then on; of a row of dice only that it does. */
function rows({ side, of, part, steps }) {
  return [...steps]
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([month, now], place, all) => ({ month, was: all[place - 1]?.[1] ?? 0, now }))
    .filter(({ was, now }) => JSON.stringify(was) !== JSON.stringify(now))
    .map(({ month, was, now }) => [month, side, of, part, ...(Array.isArray(now) ? [0, 0] : [was, now])])
}

/** What the tables change in a scenario after its first month, month by month. */
export function dues({ type, start_month: start, end_month: end, command_points: points = {} }, tables, staffs) {
  const war = type === 'strategic'
  const shared = Object.entries(points).map(([side, row]) => since(side, 'points', side, Object.entries(row)))
  const coming = COMING.flatMap(([side, kind]) =>
    Object.entries(tables.points_schedule[kind])
      .filter(([, many]) => many)
      .map(([month, many]) => [month, side, 'comes', kind, 0, many]),
  )
  const raids = tables.strategic_bombing.modes.map(({ id, from }) => [from, 'AL', 'raids', id, 0, 1])
  const boats = tables.options.sto.units.map(({ arrive, side, base }) => [arrive, side, 'sto', base, 0, 1])
  const leaving = staffs.filter((one) => one.end).map(({ id, side, end: month }) => [month, side, 'leaves', id, 1, 0])
  return [
    ...[...always(tables), ...(war ? ofWar(tables) : shared)].flatMap(rows),
    ...(war ? [...coming, ...raids, ...boats, ...leaving] : []),
  ]
    .filter(([month]) => start < month && month <= end)
    .sort(([one], [other]) => (one < other ? -1 : Number(one > other)))
}
