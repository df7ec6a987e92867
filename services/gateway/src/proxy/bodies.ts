import { Transform, type Readable } from 'node:stream'
import { DomainError } from '@marketplace/kit/errors/problem.ts'
import type { FastifyInstance } from 'fastify'
import type { Route } from '../routing/route.ts'

/**
 * Groups routes by path template, separately for buffered and for streamed request bodies. Throws if a template has
 * routes of both kinds.
 */
export function groupByBody(routes: readonly Route[]): Record<'buffered' | 'streamed', ReadonlyMap<string, Route[]>> {
  const templates = Map.groupBy(routes, ({ template }) => template)
  const isStreamed = (rows: readonly Route[]) => rows.some(({ body }) => body === 'stream')
  for (const [template, rows] of templates) {
    if (isStreamed(rows) && rows.some(({ body }) => body === 'json' || body === 'raw'))
      throw new Error(`${template} has both a streamed and a buffered body.`)
  }
  const entries = [...templates]
  return {
    buffered: new Map(entries.filter(([, rows]) => !isStreamed(rows))),
    streamed: new Map(entries.filter(([, rows]) => isStreamed(rows))),
  }
}

/** Buffers request bodies, so that a request is forwarded only after its body is complete and its size is known. */
export function bufferBodies(app: FastifyInstance): void {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => {
    done(null, body.length > 0 ? body : undefined)
  })
}

/**
 * Forwards request bodies while they arrive. A body that exceeds the route's `maxBodyBytes` is aborted with status 413.
 */
export function streamBodies(app: FastifyInstance): void {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', (request, payload, done) => {
    done(null, limitBytes(payload, request.target?.route.maxBodyBytes ?? 0))
  })
}

function limitBytes(payload: Readable, maxBytes: number): Transform {
  let bytes = 0
  const limited = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      bytes += chunk.length
      if (bytes > maxBytes) return done(new DomainError('too_large', 'too_large', 'The request is too large.'))
      return done(null, chunk)
    },
  })
  // The payload emits `error` if the client closes the connection before the body is complete.
  payload.on('error', (error) => limited.destroy(error))
  return payload.pipe(limited)
}
