import { expect, test } from '@playwright/test'
import { startWalk } from '../support/api-walk/contract.ts'
import { pagesUrl } from '../support/fixtures/page-fixture.ts'
import { walkAsUsers } from '../support/api-walk/walk-as-users.ts'
import { secretValue } from './cluster.ts'

test.setTimeout(300_000)

test('every call succeeds through the gateway’s Service and matches the document', async () => {
  const url = pagesUrl()
  const walk = await startWalk(url)
  await walkAsUsers(walk, { url, secrets: { stripeWebhook: await secretValue('payments-stripe', 'webhook-secret') } })
  const succeeded = walk.respondedWith(200, 201)
  expect(walk.calls.filter((call) => !succeeded.includes(call))).toEqual([])
  expect(succeeded.length).toBeGreaterThan(30)
})
