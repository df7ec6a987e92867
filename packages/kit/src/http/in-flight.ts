import type { FastifyInstance } from 'fastify'
import { gauge, registerCollectors } from '../telemetry/metrics.ts'

// Number of requests in progress. The gauge is set to this number only at scrape time, because every update of a gauge
// costs a label lookup.
let inFlight = 0
const requests = gauge('http_in_flight_requests', 'Requests in progress in this process.')
registerCollectors([{ name: 'requests in flight', collect: () => requests.set(inFlight) }])

/** Counts requests from arrival until the response ends or is aborted. A live stream counts until it closes. */
export function countInFlight(app: FastifyInstance): void {
  app.addHook('onRequest', (_request, reply, done) => {
    inFlight += 1
    // A response emits `close` only once, so `on` is sufficient. `once` would allocate a wrapper that lives as long as
    // the request, which can be a live stream.
    reply.raw.on('close', countDown)
    done()
  })
}

function countDown(): void {
  inFlight -= 1
}
