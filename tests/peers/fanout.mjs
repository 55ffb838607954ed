// Sends one text of 600 bytes to all of its sockets for each line of input, by the library that is named.
import http from 'node:http'
import { listening, require, wanted } from './peer.mjs'

const TEXT = 'x'.repeat(600)

const libraries = {
    ws() {
        const { WebSocketServer } = require('ws')
        const server = new WebSocketServer({ port: 0, host: '127.0.0.1', backlog: 4096 })
        const data = Buffer.from(TEXT)
        const deliver = () => {
            for (const socket of server.clients) socket.send(data, { binary: false })
        }
        server.on('listening', () => listening({ port: server.address().port }, deliver))
    },

    'socket.io'() {
        const { Server } = require('socket.io')
        const server = http.createServer()
        const io = new Server(server, { transports: ['websocket'], pingInterval: 600_000, pingTimeout: 600_000 })
        server.listen(0, '127.0.0.1', 4096, () =>
            listening(
                { port: server.address().port, path: '/socket.io/?EIO=4&transport=websocket', then: '40' },
                () => io.emit('m', TEXT),
            ),
        )
    },

    async colyseus() {
        const { Server, Room, matchMaker } = require('@colyseus/core')
        const { WebSocketTransport } = require('@colyseus/ws-transport')
        const count = Number(process.argv[3])
        let room
        class Crowd extends Room {
            onCreate() {
                room = this
                this.maxClients = count
                this.patchRate = null
                this.seatReservationTimeout = 600
            }
        }
        const server = http.createServer()
        const game = new Server({ greet: false, transport: new WebSocketTransport({ server, pingInterval: 0 }) })
        game.define('crowd', Crowd)
        await game.listen(0, '127.0.0.1', 4096)
        const paths = []
        for (let i = 0; i < count; i++) {
            const seat = await matchMaker.joinOrCreate('crowd')
            const { processId, roomId } = seat.room ?? seat
            paths.push(`/${processId}/${roomId}?sessionId=${seat.sessionId}`)
        }
        listening({ port: server.address().port, paths, then: '\n', binary: true }, () => room.broadcast('m', TEXT))
    },
}

await libraries[wanted]()
