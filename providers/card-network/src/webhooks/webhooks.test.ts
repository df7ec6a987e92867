import { Stripe } from 'stripe'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { TestNetwork } from '@marketplace/tests/support/card-network.ts'

let network: TestNetwork
beforeAll(async () => {
  network = await TestNetwork.start()
})
afterAll(() => network.stop())

describe('webhooks', () => {
  it('are signed, one per change, and retried under the same id until accepted', async () => {
    const intent = await network.create()
    network.nextStatuses.push(500)
    await network.confirm(intent, '4242424242424242')
    await expect.poll(() => network.eventsOf(intent.id).length).toBe(2)
    const [first, second] = network.eventsOf(intent.id)
    expect([second?.id, second?.type, second?.api_version]).toEqual([
      first?.id,
      'payment_intent.succeeded',
      Stripe.API_VERSION,
    ])
  })

  it('are sent for declines and cancellations', async () => {
    const intent = await network.create()
    await network.confirm(intent, '4000000000000002')
    await network.stripe.paymentIntents.cancel(intent.id)
    await expect
      .poll(() =>
        network
          .eventsOf(intent.id)
          .map((event) => event.type)
          .toSorted(),
      )
      .toEqual(['payment_intent.canceled', 'payment_intent.payment_failed'])
  })

  it('and charges survive a kill -9, and can be switched off', async () => {
    const intent = await network.create(1200, 'k2')
    network.nextStatuses.push(500, 500, 500)
    await network.confirm(intent, '4242424242424242')
    await network.kill()
    await network.run({ WEBHOOKS: 'off' })
    expect(await network.stripe.paymentIntents.retrieve(intent.id)).toMatchObject({ status: 'succeeded' })
    expect((await network.create(1200, 'k2')).id).toBe(intent.id)
    network.nextStatuses.splice(0)
    await expect.poll(() => network.eventsOf(intent.id).length).toBeGreaterThan(0)
    const silent = await network.create()
    await network.confirm(silent, '4242424242424242')
    await network.stripe.paymentIntents.retrieve(silent.id)
    expect(network.eventsOf(silent.id)).toEqual([])
  })
})
