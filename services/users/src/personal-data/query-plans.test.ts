import { sequentialScans } from '@marketplace/kit/db/query-plans.fixture.ts'
import { newId } from '@marketplace/kit/values/ids.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createHarness, type Harness, type Instance } from '../testing/harness.ts'
import { collectAccount, eraseAccount, findAccountId } from './account-data.repo.ts'

let harness: Harness
let users: Instance
beforeAll(async () => {
  harness = await createHarness()
  users = await harness.startInstance()
})
afterAll(() => harness.close())

describe('a request about personal data', () => {
  it('reads no table of users as a whole', async () => {
    const accountId = newId()
    const scans = await sequentialScans(users.ctx.db, async (trx) => {
      await findAccountId(trx, 'ann@example.com')
      await findAccountId(trx, accountId)
      await collectAccount(trx, accountId)
      await eraseAccount(trx, accountId)
    })
    expect(scans).toEqual([])
  })
})
