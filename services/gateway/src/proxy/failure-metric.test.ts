import { registry } from '@marketplace/kit/telemetry/metrics.ts'
import type { FastifyReply } from 'fastify'
import { describe, expect, it } from 'vitest'
import type { GatewayConfig } from '../config.ts'
import { sendRequest } from '../testing/send-request.ts'
import { createHarness } from '../testing/harness.ts'

async function failures(): Promise<number> {
  const metric = await registry.getSingleMetricAsString('gateway_upstream_failures_total')
  return Number(/\{upstream="catalog"\} (\d+)$/m.exec(metric)?.[1] ?? 0)
}

function breakBody(reply: FastifyReply): void {
  reply.hijack().raw.writeHead(200, { 'content-length': '100' }).write('[1,')
  setTimeout(() => reply.raw.destroy(), 20)
}

const short: Partial<GatewayConfig> = { UPSTREAM_TIMEOUT_MS: 200 }

describe('the metric of failed upstream requests', () => {
  it.each([
    ['the body is interrupted twice', breakBody, {}],
    ['the connection breaks twice', (reply: FastifyReply) => void reply.hijack().raw.destroy(), {}],
    ['no response begins before the deadline', (reply: FastifyReply) => void reply.hijack(), short],
  ])('counts a request once when %s', async (_what, respond, settings) => {
    const harness = await createHarness(settings)
    const before = await failures()
    harness.upstreams.catalog.respond = (_request, reply) => respond(reply)
    const response = await sendRequest(harness.port, { path: '/api/categories' })
    // Requests that are still open fail too and must not be counted again.
    await harness.stop()

    expect([response.status, (await failures()) - before]).toEqual([503, 1])
  })
})
