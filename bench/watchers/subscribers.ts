// Lean subscribers of one stream: sockets that search for the ids of events. Arguments: port, path, number. Reports to
// its parent when all are connected, and when the last of them has received an event.
import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'

const [port = '', path = '', count = '0'] = process.argv.slice(2)
const total = Number(count)
const atOnce = 100
const request = `GET ${path} HTTP/1.1\r\nHost: localhost:${port}\r\nAccept: text/event-stream\r\n\r\n`
const got = new Map<number, number>()
let connected = 0

function watch(): void {
  const socket = connect(Number(port), '127.0.0.1', () => socket.write(request))
  let isIn = false
  socket.on('data', (chunk) => {
    const text = chunk.toString('latin1')
    for (const [, id] of text.matchAll(/^id: (\d+)$/gm)) note(Number(id))
    if (isIn) return
    if (!text.startsWith('HTTP/1.1 200')) throw new Error(text.slice(0, 300))
    isIn = true
    connected += 1
  })
  socket.on('error', (error) => {
    throw error
  })
}

function note(id: number): void {
  const count = (got.get(id) ?? 0) + 1
  got.set(id, count)
  // A clock that all processes of the machine share.
  if (count === total) process.send?.({ id, at: Number(process.hrtime.bigint() / 1000n) })
}

const areIn = (count: number) => connected >= count
for (let started = 0; started < total; started += atOnce) {
  const next = Math.min(started + atOnce, total)
  for (let place = started; place < next; place += 1) watch()
  while (!areIn(next)) await sleep(5)
}
process.send?.({ connected })
process.once('disconnect', () => process.exit())
