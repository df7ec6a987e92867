import type { Service } from '@marketplace/kit/app/service.ts'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { paymentsSettings } from '../config.ts'
import { postWebhook, signedWebhook } from '../testing/fake-card-network.ts'
import { createHarness, type Harness } from '../testing/harness.ts'
import { deleteOldWebhooks } from './webhooks.repo.ts'

let harness: Harness
let service: Service

beforeAll(async () => {
  harness = await createHarness()
  service = harness.open({ STRIPE_WEBHOOK_SECRET: 'whsec_previous,whsec_next' })
})
afterAll(() => harness.stop())

async function send(secret: string, padding = ''): Promise<number> {
  const event = { id: 'evt_1', type: 'customer.created', intentId: `pi_${padding}` }
  return (await postWebhook(harness.cards, service, event, { secret })).statusCode
}

describe('the webhook secret', () => {
  it('W1 is any of two while one replaces the other, and no other', async () => {
    expect(await send('whsec_previous')).toBe(200)
    expect(await send('whsec_next')).toBe(200)
    expect(await send('whsec_other')).toBe(400)
    expect(await send('whsec_previous,whsec_next')).toBe(400)
  })

  it.each(['sk_1', 'whsec_1,sk_1', 'whsec_1,', 'whsec_1, whsec_2'])('%s stops the process at start', (value) => {
    expect(paymentsSettings.shape.STRIPE_WEBHOOK_SECRET.safeParse(value).success).toBe(false)
  })
})

describe('the payload of a webhook', () => {
  it('W6 has at most 64 KiB', async () => {
    const { payload } = signedWebhook(harness.cards, { id: 'evt_1', type: 'customer.created', intentId: 'pi_' })
    const room = 65_536 - Buffer.byteLength(payload)
    expect(await send('whsec_next', 'x'.repeat(room))).toBe(200)
    expect(await send('whsec_next', 'x'.repeat(room + 1))).toBe(413)
  })
})

describe('processed webhook events', () => {
  it('are deleted after 30 days, 500 at a time', async () => {
    const day = 24 * 60 * 60 * 1000
    await sql`
      insert into webhook_events (id, type, intent_id, received_at, processed_at, next_at)
      select 'old_' || n, 'payment_intent.succeeded', 'pi_1', now(), now() - interval '31 days', null::timestamptz from generate_series(1, 501) n
      union all select 'new', 'payment_intent.succeeded', 'pi_1', now(), now() - interval '29 days', null
      union all select 'waiting', 'payment_intent.succeeded', 'pi_1', now() - interval '40 days', null, now()`.execute(
      harness.db,
    )
    expect(await deleteOldWebhooks(harness.db, 30 * day)).toBe(500)
    expect(await deleteOldWebhooks(harness.db, 30 * day)).toBe(1)
    expect(await deleteOldWebhooks(harness.db, 30 * day)).toBe(0)
    const left = await harness.db.selectFrom('webhook_events').select('id').orderBy('id').execute()
    expect(left).toEqual([{ id: 'new' }, { id: 'waiting' }])
    expect(paymentsSettings.shape.WEBHOOK_RETENTION_MS.parse(undefined)).toBe(30 * day)
  })
})
