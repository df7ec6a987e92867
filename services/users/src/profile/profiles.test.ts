import { PaymentSucceededSchema } from '@marketplace/contracts/gen/marketplace/payments/v1/payments_pb.ts'
import { topics } from '@marketplace/contracts/topics.ts'
import { newId } from '@marketplace/kit/values/ids.ts'
import { applyBatch, deliver, upstreamEvent } from '@marketplace/testing/upstream-events.ts'
import { decodeJwt } from 'jose'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { cookieName, openBrowser, person, signIn, type Browser } from '../testing/browser.ts'
import { createHarness, type Harness, type Instance } from '../testing/harness.ts'
import { saleCountsConsumer } from './sale-counts.consumer.ts'

let harness: Harness
let users: Instance
let alice: Browser
let aliceId: string

beforeAll(async () => {
  harness = await createHarness()
  users = await harness.startInstance()
})
afterAll(() => harness.close())
beforeEach(async () => {
  alice = await signIn(users, harness.provider, person(`alice ${newId()}`, { name: 'Alice' }))
  aliceId = String(decodeJwt(alice.cookies.get(cookieName.access) ?? '').sub)
})

const profileOf = (id: string, at = users) => openBrowser(at).request('GET', `/api/users/${id}/profile`)
const salesOf = async (id: string) =>
  (await profileOf(id, await harness.startInstance())).json<{ sales: number }>().sales

function paid(sellerId: string) {
  const listingId = newId()
  const message = { saleId: newId(), listingId, buyerId: newId(), sellerId }
  return upstreamEvent(topics.payments, PaymentSucceededSchema, message, listingId)
}

describe('GET /api/users/{id}/profile', () => {
  it('SELLR-01 shows name, picture and month of joining to everyone, and no email address', async () => {
    await sql`update accounts set created_at = '2026-03-31T23:59:59Z' where id = ${aliceId}`.execute(users.ctx.db)
    const response = await profileOf(aliceId)
    expect([response.statusCode, response.json()]).toEqual([
      200,
      {
        id: aliceId,
        name: 'Alice',
        picture: 'https://pictures.example/me.jpg',
        member_since: '2026-03',
        sales: 0,
        review_count: 0,
        average: null,
      },
    ])
  })

  it('SELLR-01 is 404 for unknown and erased members, and for ids that are none', async () => {
    await sql`update accounts set provider = 'erased', subject = id::text where id = ${aliceId}`.execute(users.ctx.db)
    for (const id of [aliceId, newId(), 'x', 'me']) expect((await profileOf(id)).statusCode).toBe(404)
  })

  it('SELLR-01 is read from the database once a minute at most', async () => {
    await profileOf(aliceId)
    await sql`update accounts set name = 'Alicia' where id = ${aliceId}`.execute(users.ctx.db)
    expect((await profileOf(aliceId)).json()).toMatchObject({ name: 'Alice' })
    const other = await harness.startInstance()
    expect((await profileOf(aliceId, other)).json()).toMatchObject({ name: 'Alicia' })
  })
})

describe('the number of completed sales', () => {
  it('SELLR-02 counts each sale once, although its batch is delivered twice', async () => {
    const bob = newId()
    const events = [paid(aliceId), paid(bob), paid(aliceId), paid(aliceId)]
    await deliver({ database: harness.database, db: users.ctx.db }, [saleCountsConsumer, events], {
      isAcknowledgementLost: true,
    })
    expect(await salesOf(aliceId)).toBe(3)
    const { rows } = await sql`select 1 from sale_counts where user_id = ${bob}`.execute(users.ctx.db)
    expect(rows).toEqual([])
  })

  it('SELLR-02 is exact for 50 concurrent batches', async () => {
    const batches = Array.from({ length: 50 }, () => [paid(aliceId), paid(aliceId)])
    await Promise.all(batches.map((events) => applyBatch(users.ctx.db, saleCountsConsumer, events)))
    expect(await salesOf(aliceId)).toBe(100)
  })

  it('SELLR-02 is not counted for an erased member', async () => {
    await sql`update accounts set provider = 'erased', subject = id::text where id = ${aliceId}`.execute(users.ctx.db)
    await applyBatch(users.ctx.db, saleCountsConsumer, [paid(aliceId)])
    const { rows } = await sql`select 1 from sale_counts where user_id = ${aliceId}`.execute(users.ctx.db)
    expect(rows).toEqual([])
  })
})
