import { once } from 'node:events'
import { createServer } from 'node:http'
import { text } from 'node:stream/consumers'
import { z } from 'zod'

export interface CollectedSpan {
  service: string
  traceId: string
  spanId: string
  parentSpanId: string | undefined
  name: string
  /** As JSON, unchanged. */
  attributes: string
}

export interface Collector {
  url: string
  spans: CollectedSpan[]
  stop(): Promise<void>
}

const Export = z.object({
  resourceSpans: z.array(
    z.object({
      resource: z.object({
        attributes: z.array(z.object({ key: z.string(), value: z.object({ stringValue: z.string().optional() }) })),
      }),
      scopeSpans: z.array(
        z.object({
          spans: z.array(
            z.object({
              traceId: z.string(),
              spanId: z.string(),
              parentSpanId: z.string().optional(),
              name: z.string(),
              attributes: z.unknown().transform((value) => JSON.stringify(value)),
            }),
          ),
        }),
      ),
    }),
  ),
})

/** Receives and stores traces like an OpenTelemetry collector, over HTTP as JSON. */
export async function startCollector(): Promise<Collector> {
  const spans: CollectedSpan[] = []
  const server = createServer((request, response) => {
    void text(request).then((body) => {
      spans.push(...spansOf(JSON.parse(body)))
      response.setHeader('content-type', 'application/json').end('{}')
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  const port = typeof address === 'object' && address ? address.port : 0
  return {
    url: `http://127.0.0.1:${port}`,
    spans,
    async stop() {
      server.closeAllConnections()
      server.close()
    },
  }
}

function spansOf(body: unknown): CollectedSpan[] {
  return Export.parse(body).resourceSpans.flatMap(({ resource, scopeSpans }) => {
    const service = resource.attributes.find(({ key }) => key === 'service.name')?.value.stringValue ?? ''
    return scopeSpans.flatMap((scope) =>
      scope.spans.map(({ parentSpanId, ...span }) => ({ ...span, service, parentSpanId: parentSpanId || undefined })),
    )
  })
}
