import { routeResponses } from '@marketplace/kit/http/responses.ts'
import { buildPublicApp, type PublicApp } from '@marketplace/kit/http/http.ts'
import { openLog } from '@marketplace/kit/telemetry/log.ts'
import { unauthenticated } from '@marketplace/kit/errors/problem.ts'
import { z } from 'zod'
import { AuctionStateView } from '../live/auction-state.view.ts'

/**
 * Generates the OpenAPI document of the gateway's own routes, in the same way as the services generate theirs. The
 * Fastify app exists only to generate the document and never listens.
 */
export async function ownDocument(): Promise<unknown> {
  const log = openLog('gateway', 'silent')
  const app = buildPublicApp({ name: 'gateway', log, verifyToken: () => Promise.reject(unauthenticated()) })
  app.register(async (app) => describeStream(app.withTypeProvider()))
  await app.ready()
  const text = JSON.stringify(app.swagger())
  await app.close()
  const parsed: unknown = JSON.parse(text.replaceAll(asJson, asEvents))
  return parsed
}

// Replaces the media type of the live stream's response, which the OpenAPI generator declares as JSON.
const state = '{"schema":{"$ref":"#/components/schemas/AuctionState"}}'
const [asJson, asEvents] = [`"application/json":${state}`, `"text/event-stream":${state}`]

function describeStream(app: PublicApp): void {
  const description =
    'Server-sent events until the auction is over; the data of each is the whole state, and its id the number, of an ended auction with -over behind it. ' +
    'At most four a second: who reads slowly gets the newest. 204 when Last-Event-ID says that the end is known.'
  app.get(
    '/api/auctions/:id/stream',
    {
      config: { open: true, ignoresSession: true },
      schema: {
        description,
        params: z.object({ id: z.string() }),
        headers: z.object({ 'last-event-id': z.string().optional() }),
        response: routeResponses({ 200: AuctionStateView, 204: z.undefined() }, 409, 429),
      },
    },
    () => Promise.reject(unauthenticated()),
  )
}
