import { once } from 'node:events'
import { createServer } from 'node:http'
import { eventually } from '@marketplace/testing/eventually.ts'
import { expect } from 'vitest'
import { cardKeys, startCardNetwork, type FakeCardNetwork } from '../testing/fake-card-network.ts'
import { openAccount } from '../testing/provider-account.ts'
import { providerConformance, type ProviderTarget } from './provider.conformance.ts'

const secretKey = cardKeys.STRIPE_SECRET_KEY

/** Opens the local card network with the client that `npm run check:stripe` uses for Stripe's sandbox. */
async function openLocal(): Promise<ProviderTarget & { cards: FakeCardNetwork }> {
  const cards = await startCardNetwork()
  const account = openAccount({ secretKey, apiBase: cards.url })
  return {
    ...account,
    cards,
    async sendUntyped(parameters) {
      const response = await account.sendUntyped(parameters)
      // Stripe's published schema must reject the parameter as well.
      expect(cards.violations.splice(0)).toEqual([expect.stringContaining('must NOT have additional properties')])
      return response
    },
    close: () => cards.stop(),
  }
}

/** Opens the local card network with the webhooks that it sends and signs itself. */
async function openLocalWithWebhooks(): Promise<ProviderTarget> {
  const local = await openLocal()
  const received: { raw: Buffer; signature: string }[] = []
  const receiver = createServer(async (request, response) => {
    const raw = Buffer.concat(await request.toArray())
    received.push({ raw, signature: String(request.headers['stripe-signature']) })
    response.end()
  }).listen(0, '127.0.0.1')
  await once(receiver, 'listening')
  const address = receiver.address()
  if (address === null || typeof address === 'string') throw new Error('The webhook receiver does not listen.')
  local.cards.sendWebhooks(`http://127.0.0.1:${address.port}/`)
  return {
    ...local,
    async webhookOf(intentId, type) {
      const matches = ({ raw }: { raw: Buffer }) =>
        raw.includes(`"id":"${intentId}"`) && raw.includes(`"type":"${type}"`)
      const webhook = await eventually(() => received.find(matches))
      return { ...webhook, secret: cardKeys.STRIPE_WEBHOOK_SECRET }
    },
    async close() {
      await local.close()
      receiver.close()
    },
  }
}

providerConformance('the local card network', openLocalWithWebhooks)
providerConformance('the local card network with the client of check:stripe', openLocal)
