import { expect, test } from '@playwright/test'
import { startWalk } from '../src/contract.ts'
import { pagesUrl } from '../src/shop.ts'
import { walkAsPeople } from '../src/walk-as-people.ts'
import { secretValue } from './cluster.ts'

test.setTimeout(300_000)

test('every call succeeds through the Service of the gateway, and answers as the document says', async () => {
  const url = pagesUrl()
  const walk = await startWalk(url)
  await walkAsPeople(walk, { url, secrets: { stripeWebhook: await secretValue('payments-stripe', 'webhook-secret') } })
  const answered = walk.answeredWith(200, 201)
  expect(walk.calls.filter((call) => !answered.includes(call))).toEqual([])
  expect(answered.length).toBeGreaterThan(30)
})
