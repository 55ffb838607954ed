// boardgame.io with a game of rows: sides mark cells in turn. State in memory, or in the Postgres that is named.
import { listening, require, wanted } from './peer.mjs'

const { Server } = require('boardgame.io/server')

const rows = {
    name: 'rows',
    setup: () => ({ cells: Array(9).fill(null), marks: 0 }),
    turn: { minMoves: 1, maxMoves: 1 },
    moves: {
        mark({ G, playerID }, cell) {
            G.cells[cell] = playerID
            G.marks++
        },
    },
}

const options = { games: [rows], origins: ['*'] }
if (wanted !== 'memory') {
    const { PostgresStore } = require('bgio-postgres')
    options.db = new PostgresStore(wanted, { logging: false, pool: { max: 20 } })
}
for (const name of ['log', 'info', 'warn']) console[name] = () => {}
const server = Server(options)
const { appServer } = await server.run(0)
listening({ port: appServer.address().port })
