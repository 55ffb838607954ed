// Colyseus with a game of rows: sides mark cells in turn, and every mark is told at once.
import http from 'node:http'
import { listening, require, wanted } from './peer.mjs'

const { Server, Room, matchMaker } = require('@colyseus/core')
const { schema, t } = require('@colyseus/schema')
const { WebSocketTransport } = require('@colyseus/ws-transport')

const MATCHES = Number(wanted)
const WATCHERS = Number(process.argv[3])

const Rows = schema({ cells: t.array('uint8'), marks: t.uint32() })

class Match extends Room {
    onCreate() {
        this.maxClients = WATCHERS
        this.patchRate = null
        this.seatReservationTimeout = 600
        this.state = new Rows()
        for (let i = 0; i < 9; i++) this.state.cells.push(0)
        this.state.marks = 0
        this.onMessage('mark', (client, cell) => {
            if (client.userData !== this.state.marks % 2) return
            this.state.cells[cell] = 1 + client.userData
            this.state.marks++
            this.broadcastPatch()
        })
    }

    onJoin(client, { seat }) {
        client.userData = seat
    }
}

const server = http.createServer()
const game = new Server({ greet: false, transport: new WebSocketTransport({ server }) })
game.define('match', Match)
await game.listen(0, '127.0.0.1', 4096)
const matches = []
for (let match = 0; match < MATCHES; match++) {
    const paths = []
    let room
    for (let seat = 0; seat < WATCHERS; seat++) {
        const place = room ? await matchMaker.joinById(room, { seat }) : await matchMaker.create('match', { seat })
        room = place.roomId
        paths.push(`/${place.processId}/${room}?sessionId=${place.sessionId}`)
    }
    matches.push(paths)
}
listening({ port: server.address().port, matches })
