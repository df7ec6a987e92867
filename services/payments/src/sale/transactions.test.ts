import type { Service } from '@marketplace/kit/service.ts'
import { someone, type TestUser } from '@marketplace/testing/keys.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { call, confirm, openCheckout } from '../testing/calls.ts'
import { startStand, type Stand } from '../testing/stand.ts'

let stand: Stand
let service: Service

beforeAll(async () => {
  stand = await startStand()
  service = stand.open()
})
afterAll(() => stand.stop())

const list = (user: TestUser | null, query = '') =>
  call<Record<string, unknown>[]>(stand, service, user, ['GET', `/api/transactions${query}`])

async function buyAs(buyer: TestUser, seller: TestUser, title: string): Promise<string> {
  const { listingId } = stand.catalog.addItem({ sellerId: seller.userId, title })
  const intent = await openCheckout(stand, service, buyer, listingId)
  await stand.cards.pay(intent)
  const { body } = await confirm(stand, service, buyer, intent)
  return body['id'] ?? ''
}

describe('the list of transactions', () => {
  it('TXN-04 PAY-15 shows a sale to both sides, each in its role, with the name of the other', async () => {
    const [alice, olga] = [someone('Alice'), someone('Olga')]
    stand.users.names.set(alice.userId, 'Alice').set(olga.userId, 'Olga')
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
      pay_by: null,
      created_at: expect.stringMatching(/Z$/),
    }
    expect(await list(alice)).toEqual({
      status: 200,
      body: [{ ...shared, user_role: 'buyer', other_user_name: 'Olga' }],
    })
    expect(await list(olga)).toEqual({
      status: 200,
      body: [{ ...shared, user_role: 'seller', other_user_name: 'Alice' }],
    })
  })

  it('TXN-04 holds one’s own only, newest first, and none signed out', async () => {
    const [alice, olga, bob] = [someone('Alice'), someone('Olga'), someone('Bob')]
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

  it('B5 B10 shows nobody’s to another, whatever is asked for, and a client secret to nobody', async () => {
    const [alice, olga, eve] = [someone('Alice'), someone('Olga'), someone('Eve')]
    const id = await buyAs(alice, olga, 'A lamp')
    for (const query of [`?user_id=${alice.userId}`, `?buyer_id=${alice.userId}`, `?id=${id}`])
      expect(await call(stand, service, eve, ['GET', `/api/transactions${query}`])).toEqual({ status: 200, body: [] })
    expect(await call(stand, service, eve, ['GET', `/api/transactions/${id}`])).toMatchObject({ status: 404 })
    for (const side of [alice, olga]) expect(JSON.stringify(await list(side))).not.toMatch(/secret|pi_/)
  })

  it('has a purchase from its payment on', async () => {
    const alice = someone('Alice')
    const { listingId } = stand.catalog.addItem()
    const intent = await openCheckout(stand, service, alice, listingId)
    expect((await list(alice)).body).toEqual([])
    await stand.cards.pay(intent)
    await confirm(stand, service, alice, intent)
    expect((await list(alice)).body).toMatchObject([{ listing_id: listingId, status: 'completed' }])
  })

  it('has no names while users does not answer, and pictures only where there are some', async () => {
    stand.users.isSilent = true
    const impatient = stand.open({ PROFILES_TIMEOUT_MS: 50 })
    const alice = someone('Alice')
    const { listingId } = stand.catalog.addItem({ imageUrl: '' })
    const intent = await openCheckout(stand, service, alice, listingId)
    await stand.cards.pay(intent)
    await confirm(stand, service, alice, intent)
    const { body } = await call(stand, impatient, alice, ['GET', '/api/transactions'])
    expect(body).toMatchObject([{ other_user_name: null, listing_image_url: null }])
    stand.users.isSilent = false
  })
})
