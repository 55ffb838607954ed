// What the servers written for Node share: where their packages are, and how they tell that they listen.
import { createRequire } from 'node:module'
import process from 'node:process'

/** Finds packages in the folder that the last argument names. */
export const require = createRequire(`${process.argv.at(-1)}/`)

/** What of this file's servers is to run. */
export const wanted = process.argv[2]

/** Tells where it listens; then every line of input asks for a delivery, and the end of input for the end. */
export function listening(told, deliver = () => {}) {
    process.stdin.on('data', data => {
        for (let i = 0; i < data.length; i++) deliver()
    })
    process.stdin.on('end', () => process.exit(0))
    process.stdout.write(`${JSON.stringify(told)}\n`)
}
