import type { PublicApp } from '@marketplace/kit/http.ts'
import { answers } from '@marketplace/kit/http-responses.ts'
import { DomainError } from '@marketplace/kit/problem.ts'
import { z } from 'zod'
import type { Context } from '../context.ts'
import { readSignedEvent } from '../provider/webhook-signature.ts'
import { processWebhook, storeWebhook } from './process-webhook.ts'

const Received = z.strictObject({ received: z.literal(true) }).meta({ id: 'WebhookReceived' })

export function webhooksRoutes(ctx: Context): (app: PublicApp) => void {
  return (app) => {
    // The answer does not wait for these; a stopping process does.
    const underWay = new Set<Promise<void>>()
    app.addHook('onClose', async () => void (await Promise.all(underWay)))
    keepRawBytes(app)
    app.post(
      '/api/stripe/webhook',
      { config: { open: true }, schema: { response: answers({ 200: Received }) } },
      async (request) => {
        const event = readSignedEvent(
          Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0),
          String(request.headers['stripe-signature'] ?? ''),
          ctx.settings.STRIPE_WEBHOOK_SECRET,
        )
        if (event === null) throw new DomainError('invalid', 'bad_signature', 'The signature does not fit.')
        const stored = event === 'ignored' ? null : await storeWebhook(ctx, event)
        if (stored) {
          const work = processWebhook(ctx, stored).finally(() => underWay.delete(work))
          underWay.add(work)
        }
        return { received: true as const }
      },
    )
  }
}

// The signature is of the bytes as they came; parsed and written again they would be others.
function keepRawBytes(app: PublicApp): void {
  app.removeContentTypeParser('application/json')
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (_request, body, done) => done(null, body))
}
