import type { Service } from '@marketplace/kit/app/service.ts'
import { randomUser, type TestUser } from '@marketplace/testing/keys.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { call, confirm, openCheckout } from '../../testing/calls.ts'
import { createHarness, type Harness } from '../../testing/harness.ts'

let harness: Harness
let service: Service

beforeAll(async () => {
  harness = await createHarness()
  service = harness.open()
})
afterAll(() => harness.stop())

const list = (user: TestUser | null, query = '') =>
  call<Record<string, unknown>[]>(harness, service, user, ['GET', `/api/transactions${query}`])

async function buyAs(buyer: TestUser, seller: TestUser, title: string): Promise<string> {
  const { listingId } = harness.catalog.addItem({ sellerId: seller.userId, title })
  const intent = await openCheckout(harness, service, buyer, listingId)
  await harness.cards.pay(intent)
  const { body } = await confirm(harness, service, buyer, intent)
  return body['id'] ?? ''
}

describe('the list of transactions', () => {
  it('TXN-04 PAY-15 shows a sale to buyer and seller with the role and the counterparty’s name', async () => {
    const [alice, olga] = [randomUser('Alice'), randomUser('Olga')]
    harness.users.names.set(alice.userId, 'Alice').set(olga.userId, 'Olga')
    const id = await buyAs(alice, olga, 'A lamp')
    const shared = {
      id,
      listing_id: expect.any(String),
      listing_title: 'A lamp',
      listing_image_url: 'https://pictures.example/lamp.jpg',
      transaction_type: 'buy_now',
      status: 'completed',
      sale_price: 1999,
      transaction_fee: 100,
      seller_amount: 1899,
      shipping_cost: 450,
      pay_by: null,
      release_reason: null,
      refunded_amount: 0,
      is_disputed: false,
      is_refund_delayed: false,
      created_at: expect.stringMatching(/Z$/),
    }
    expect(await list(alice)).toEqual({
      status: 200,
      body: [{ ...shared, user_role: 'buyer', total: 2549, other_user_name: 'Olga' }],
    })
    expect(await list(olga)).toEqual({
      status: 200,
      body: [{ ...shared, user_role: 'seller', total: 2349, other_user_name: 'Alice' }],
    })
  })

  it('TXN-04 contains only the user’s own sales, newest first, and returns 401 without a session', async () => {
    const [alice, olga, bob] = [randomUser('Alice'), randomUser('Olga'), randomUser('Bob')]
    const bought = [
      await buyAs(alice, olga, 'First'),
      await buyAs(alice, bob, 'Second'),
      await buyAs(olga, alice, 'Third'),
    ]
    const { body } = await list(alice)
    expect(body.map(({ id, user_role }) => [id, user_role])).toEqual([
      [bought[2], 'seller'],
      [bought[1], 'buyer'],
      [bought[0], 'buyer'],
    ])
    expect((await list(bob, `?user_id=${alice.userId}`)).body).toMatchObject([{ id: bought[1], user_role: 'seller' }])
    expect((await list(null)).status).toBe(401)
  })

  it('B5 B10 shows no sales of other users, whatever the query, and never a client secret', async () => {
    const [alice, olga, eve] = [randomUser('Alice'), randomUser('Olga'), randomUser('Eve')]
    const id = await buyAs(alice, olga, 'A lamp')
    for (const query of [`?user_id=${alice.userId}`, `?buyer_id=${alice.userId}`, `?id=${id}`])
      expect(await call(harness, service, eve, ['GET', `/api/transactions${query}`])).toEqual({ status: 200, body: [] })
    expect(await call(harness, service, eve, ['GET', `/api/transactions/${id}`])).toMatchObject({ status: 404 })
    for (const user of [alice, olga]) expect(JSON.stringify(await list(user))).not.toMatch(/secret|pi_/)
  })

  it('contains a purchase once it is paid', async () => {
    const alice = randomUser('Alice')
    const { listingId } = harness.catalog.addItem()
    const intent = await openCheckout(harness, service, alice, listingId)
    expect((await list(alice)).body).toEqual([])
    await harness.cards.pay(intent)
    await confirm(harness, service, alice, intent)
    expect((await list(alice)).body).toMatchObject([{ listing_id: listingId, status: 'completed' }])
  })

  it('has no names while the users service is unavailable, and no picture when the item has none', async () => {
    harness.users.isUnresponsive = true
    const shortTimeout = harness.open({ PROFILES_TIMEOUT_MS: 50 })
    const alice = randomUser('Alice')
    const { listingId } = harness.catalog.addItem({ imageUrl: '' })
    const intent = await openCheckout(harness, service, alice, listingId)
    await harness.cards.pay(intent)
    await confirm(harness, service, alice, intent)
    const { body } = await call(harness, shortTimeout, alice, ['GET', '/api/transactions'])
    expect(body).toMatchObject([{ other_user_name: null, listing_image_url: null }])
    harness.users.isUnresponsive = false
  })
})
