import { PersonalDataStep } from '@marketplace/contracts/gen/marketplace/users/v1/users_pb.ts'
import { databaseTime, transaction } from '@marketplace/kit/db/db.ts'
import { newId } from '@marketplace/kit/values/ids.ts'
import { waitForBlockedStatements } from '@marketplace/testing/blocked-statements.ts'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { toPerson } from '../account/account.ts'
import { upsertAccount } from '../account/accounts.repo.ts'
import { openSession } from '../session/open-session.ts'
import { providerName } from '../sign-in/complete-sign-in.ts'
import { person, signIn } from '../testing/browser.ts'
import { createHarness, type Instance, type Harness } from '../testing/harness.ts'
import { findAccountId } from './account-data.repo.ts'
import { createRequest } from './create-request.ts'
import { participants, type RequestKind } from './request.ts'
import { findState, deleteExpiredRequests, readReceipts } from './requests.repo.ts'

const { ASK, EXPORT, ERASE } = PersonalDataStep

describe('a personal data request', () => {
  let harness: Harness
  let users: Instance
  beforeAll(async () => {
    harness = await createHarness()
    users = await harness.startInstance()
  })
  afterAll(() => harness.close())

  async function create(name: string, kind: RequestKind) {
    const browser = await signIn(users, harness.provider, person(name))
    const accountId = (await findAccountId(users.ctx.db, `${name}@example.com`)) ?? ''
    return { browser, accountId, requestId: await createRequest(users.ctx.db, accountId, kind) }
  }

  const sendReceipt = (requestId: string, service: string, step: PersonalDataStep, receipt: unknown) =>
    users.rpc.takePersonalData({ requestId, service, step, receipt: JSON.stringify(receipt) })

  const sendAllReceipts = (requestId: string, step: PersonalDataStep, receipt: unknown) =>
    Promise.all(participants.map((service) => sendReceipt(requestId, service, step, receipt)))

  async function publishedSteps(accountId: string): Promise<string[]> {
    const { rows } = await sql<{ step: string }>`
      select payload ->> 'step' as step from outbox where key = ${accountId} and type like '%.PersonalDataRequested'
      order by seq`.execute(users.ctx.db)
    return rows.map(({ step }) => step.replace('PERSONAL_DATA_STEP_', ''))
  }

  const stateOf = (requestId: string) => findState(users.ctx.db, requestId)

  it('collects the data of every service and finishes when all receipts have arrived', async () => {
    const { accountId, requestId } = await create('ann', 'export')
    for (const service of participants) {
      expect(await stateOf(requestId)).toBe('exporting')
      await sendReceipt(requestId, service, EXPORT, { of: service })
      await sendReceipt(requestId, service, EXPORT, { of: 'twice' })
    }
    expect(await stateOf(requestId)).toBe('done')
    const receipts = await readReceipts(users.ctx.db, requestId)
    expect(receipts.map(({ service }) => service).toSorted()).toEqual([...participants, 'users'].toSorted())
    expect(receipts.find(({ service }) => service === 'search')?.receipt).toEqual({ of: 'search' })
    expect(receipts.find(({ service }) => service === 'users')?.receipt).toMatchObject({ email: 'ann@example.com' })
    expect(await publishedSteps(accountId)).toEqual(['EXPORT'])
  })

  it('is refused and changes nothing if one service reports an open payment', async () => {
    const { browser, accountId, requestId } = await create('ben', 'erasure')
    for (const service of participants.slice(1)) await sendReceipt(requestId, service, ASK, [])
    await sendReceipt(requestId, 'catalog', ASK, ['Offers wait for an answer: 1.'])
    expect(await stateOf(requestId)).toBe('refused')
    expect(await publishedSteps(accountId)).toEqual(['ASK'])
    expect((await browser.request('GET', '/api/users/me')).statusCode).toBe(200)
  })

  it('erases the account and its sessions before the others erase theirs', async () => {
    const { browser, accountId, requestId } = await create('cay', 'erasure')
    await browser.request('POST', '/api/users/notification-preferences', { deals: true, offers: true })
    await sendAllReceipts(requestId, ASK, [])
    expect([await stateOf(requestId), await publishedSteps(accountId)]).toEqual(['erasing', ['ASK', 'ERASE']])
    expect((await browser.request('GET', '/api/users/me')).statusCode).toBe(401)
    const profiles = await users.rpc.getProfiles({ userIds: [accountId] })
    expect(profiles.profiles.map(({ name, picture }) => [name, picture])).toEqual([['Former member', '']])
    expect(await findAccountId(users.ctx.db, 'cay@example.com')).toBe(undefined)

    await sendAllReceipts(requestId, ERASE, { things: 1 })
    expect(await stateOf(requestId)).toBe('done')
    const receipts = (await readReceipts(users.ctx.db, requestId)).filter(({ step }) => step === 'erase')
    expect(receipts.map(({ service }) => service).toSorted()).toEqual([...participants, 'users'].toSorted())
    expect(receipts.find(({ service }) => service === 'users')?.receipt).toMatchObject({ sessions: 1, preferences: 1 })

    await signIn(users, harness.provider, person('cay'))
    expect(await findAccountId(users.ctx.db, 'cay@example.com')).not.toBe(accountId)
  })

  it('revokes the session of a sign-in that commits while the erasure waits for it', async () => {
    const { accountId, requestId } = await create('kim', 'erasure')
    for (const service of participants.slice(1)) await sendReceipt(requestId, service, ASK, [])
    const lastReceipts: Promise<unknown>[] = []
    const session = await transaction(users.ctx.db, async (trx) => {
      const { id: userId } = await upsertAccount(trx, providerName, toPerson(person('kim')))
      const device = 'Firefox on Linux'
      const opened = await openSession(trx, { userId, device }, await databaseTime(trx), harness.settings)
      lastReceipts.push(sendReceipt(requestId, 'catalog', ASK, []))
      await waitForBlockedStatements(async (text) => (await sql.raw(text).execute(users.ctx.db)).rows)
      return opened
    })
    await Promise.all(lastReceipts)
    expect(await stateOf(requestId)).toBe('erasing')
    const { rows } = await sql<{ id: string }>`
      select payload ->> 'sessionId' as id from outbox where key = ${accountId} and type like '%.SessionRevoked'`.execute(
      users.ctx.db,
    )
    expect(rows).toHaveLength(2)
    expect(rows).toContainEqual({ id: session.id })
  })

  it('BLOCK-08 exports one’s own blocks and erases those in both directions, with an event for each', async () => {
    const [gil, hal, ida] = [
      await create('gil', 'export'),
      await create('hal', 'export'),
      await create('ida', 'export'),
    ]
    const block = (by: typeof gil, whom: typeof gil) =>
      by.browser.request('POST', '/api/blocks', { user_id: whom.accountId })
    for (const [by, whom] of [
      [gil, hal],
      [ida, gil],
      [ida, hal],
    ] as const)
      await block(by, whom)
    await sendAllReceipts(gil.requestId, EXPORT, {})
    const receipts = await readReceipts(users.ctx.db, gil.requestId)
    expect(receipts.find(({ service }) => service === 'users')?.receipt).toMatchObject({
      blockedMembers: [{ id: hal.accountId, at: expect.any(String) }],
    })

    const erasure = await createRequest(users.ctx.db, gil.accountId, 'erasure')
    await sendAllReceipts(erasure, ASK, [])
    const { rows } =
      await sql`select blocker_id, blocked_id from blocks where blocker_id in (${gil.accountId}, ${ida.accountId})`.execute(
        users.ctx.db,
      )
    expect(rows).toEqual([{ blocker_id: ida.accountId, blocked_id: hal.accountId }])
    const ended = await sql`
      select key from outbox where type like '%.BlockChanged' and payload ->> 'isBlocked' is null order by key`.execute(
      users.ctx.db,
    )
    expect(ended.rows).toEqual([gil.accountId, ida.accountId].toSorted().map((key) => ({ key })))
    expect((await block(gil, hal)).statusCode).toBe(401)
    expect((await block(hal, gil)).statusCode).toBe(404)
  })

  it('advances once when the last receipts arrive concurrently, and ignores late and unknown ones', async () => {
    const { accountId, requestId } = await create('dan', 'erasure')
    await Promise.all(Array.from({ length: 4 }, () => sendAllReceipts(requestId, ASK, [])))
    expect(await publishedSteps(accountId)).toEqual(['ASK', 'ERASE'])
    await sendReceipt(requestId, 'catalog', ASK, ['Too late.'])
    await sendReceipt(newId(), 'catalog', ASK, [])
    expect(await stateOf(requestId)).toBe('erasing')
  })

  it('is created once per account and kind when requested concurrently', async () => {
    const { accountId, requestId } = await create('eve', 'export')
    const again = await Promise.all(Array.from({ length: 8 }, () => createRequest(users.ctx.db, accountId, 'export')))
    expect(new Set(again)).toEqual(new Set([requestId]))
    expect(await publishedSteps(accountId)).toEqual(['EXPORT'])
  })

  it('is deleted with its exported data when its retention ends', async () => {
    const { requestId } = await create('fay', 'export')
    await sendAllReceipts(requestId, EXPORT, {})
    await sql`update personal_data_requests set finished_at = now() - interval '1 hour' where id = ${requestId}`.execute(
      users.ctx.db,
    )
    expect(await deleteExpiredRequests(users.ctx.db, harness.settings.DATA_REQUEST_RETENTION_MS)).toBe(1)
    expect(await readReceipts(users.ctx.db, requestId)).toEqual([])
  })
})
