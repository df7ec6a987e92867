import type { FastifyInstance } from 'fastify'
import { gauge, readAtScrape } from './metrics.ts'

// A number of ours that the gauge reads: each request would pay for the gauge's labels otherwise.
let inFlight = 0
const requests = gauge('http_in_flight_requests', 'Requests that this process has taken and not answered yet.')
readAtScrape([{ name: 'requests in flight', read: () => requests.set(inFlight) }])

/** Counts requests until their answer is finished or cut off; live streams for as long as they last. */
export function countInFlight(app: FastifyInstance): void {
  app.addHook('onRequest', (_request, reply, done) => {
    inFlight += 1
    // Emitted once; `once` and a function for each would take their memory for as long as a stream lasts.
    reply.raw.on('close', countDown)
    done()
  })
}

function countDown(): void {
  inFlight -= 1
}
