import type { FastifyInstance } from 'fastify'
import { gauge, registerCollectors } from '../telemetry/metrics.ts'

// A plain number, copied to the gauge at scrape time: updating the gauge would cost a label lookup per request.
let inFlight = 0
const requests = gauge('http_in_flight_requests', 'Requests in progress in this process.')
registerCollectors([{ name: 'requests in flight', collect: () => requests.set(inFlight) }])

/** Counts requests from arrival until the response ends or is aborted. A live stream counts until it closes. */
export function countInFlight(app: FastifyInstance): void {
  app.addHook('onRequest', (_request, reply, done) => {
    inFlight += 1
    // `close` is emitted once. A shared listener saves memory: `once` would allocate a wrapper for the life of each stream.
    reply.raw.on('close', countDown)
    done()
  })
}

function countDown(): void {
  inFlight -= 1
}
