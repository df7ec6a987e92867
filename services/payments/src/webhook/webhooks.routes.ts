import { addressOf } from '@marketplace/kit/http/client-address.ts'
import { logSecurityEvent } from '@marketplace/kit/telemetry/security-event.ts'
import type { PublicApp } from '@marketplace/kit/http/http.ts'
import { routeResponses } from '@marketplace/kit/http/responses.ts'
import { DomainError } from '@marketplace/kit/errors/problem.ts'
import { z } from 'zod'
import type { Context } from '../context.ts'
import { readSignedEvent, type ProviderEvent } from '../provider/webhook-signature.ts'
import { processWebhook, storeWebhook } from './process-webhook.ts'

const Received = z.strictObject({ received: z.literal(true) }).meta({ id: 'WebhookReceived' })

// The gateway has the same limit for this route. Payment events have only a few kilobytes.
const maxPayloadBytes = 65_536

export function webhooksRoutes(app: PublicApp, ctx: Context): void {
  // Events that are still being processed. The response does not wait for them, but shutdown does.
  const running = new Set<Promise<void>>()
  app.addHook('onClose', async () => void (await Promise.all(running)))
  keepRawBytes(app)
  app.post(
    '/api/stripe/webhook',
    {
      config: { open: true, ignoresSession: true },
      bodyLimit: maxPayloadBytes,
      schema: { response: routeResponses({ 200: Received }) },
    },
    async (request) => {
      const raw = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0)
      const event = readEvent(raw, String(request.headers['stripe-signature'] ?? ''), ctx.settings)
      if (event === null) {
        logSecurityEvent(request.log, { event: 'bad_signature', userId: null, address: addressOf(request) })
        throw new DomainError('invalid', 'bad_signature', 'The webhook signature is invalid.')
      }
      const stored = event === 'ignored' ? null : await storeWebhook(ctx, event)
      if (stored) {
        const work = processWebhook(ctx, stored).finally(() => running.delete(work))
        running.add(work)
      }
      return { received: true as const }
    },
  )
}

function readEvent(
  raw: Buffer,
  signature: string,
  { STRIPE_WEBHOOK_SECRET: secrets }: Context['settings'],
): ProviderEvent | 'ignored' | null {
  for (const secret of secrets.split(',')) {
    const event = readSignedEvent(raw, signature, secret)
    if (event !== null) return event
  }
  return null
}

// The raw bytes are kept, because the signature covers them. Parsing and serializing the body would change them.
function keepRawBytes(app: PublicApp): void {
  app.removeContentTypeParser('application/json')
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (_request, body, done) => done(null, body))
}
