import { PersonalDataStep } from '@marketplace/contracts/gen/marketplace/users/v1/users_pb.ts'
import { newId } from '@marketplace/kit/ids.ts'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { person, setStage, signIn, type Instance, type Stage } from '../testing/stage.ts'
import { findAccountId } from './account-data.repo.ts'
import { beginRequest } from './begin-request.ts'
import { participants, type RequestKind } from './request.ts'
import { findState, forgetOldRequests, readReceipts } from './requests.repo.ts'

const { ASK, EXPORT, ERASE } = PersonalDataStep

describe('a request about a person’s data', () => {
  let stage: Stage
  let users: Instance
  beforeAll(async () => {
    stage = await setStage()
    users = await stage.start()
  })
  afterAll(() => stage.close())

  async function begin(name: string, kind: RequestKind) {
    const browser = await signIn(users, stage.provider, person(name))
    const accountId = (await findAccountId(users.ctx.db, `${name}@example.com`)) ?? ''
    return { browser, accountId, requestId: await beginRequest(users.ctx.db, accountId, kind) }
  }

  const answer = (requestId: string, service: string, step: PersonalDataStep, receipt: unknown) =>
    users.rpc.takePersonalData({ requestId, service, step, receipt: JSON.stringify(receipt) })

  const answerAll = (requestId: string, step: PersonalDataStep, receipt: unknown) =>
    Promise.all(participants.map((service) => answer(requestId, service, step, receipt)))

  async function told(accountId: string): Promise<string[]> {
    const { rows } = await sql<{ step: string }>`
      select payload ->> 'step' as step from outbox where key = ${accountId} and type like '%.PersonalDataRequested'
      order by seq`.execute(users.ctx.db)
    return rows.map(({ step }) => step.replace('PERSONAL_DATA_STEP_', ''))
  }

  const stateOf = (requestId: string) => findState(users.ctx.db, requestId)

  it('brings every service’s part together, once each has given its own', async () => {
    const { accountId, requestId } = await begin('ann', 'export')
    for (const service of participants) {
      expect(await stateOf(requestId)).toBe('exporting')
      await answer(requestId, service, EXPORT, { of: service })
      await answer(requestId, service, EXPORT, { of: 'twice' })
    }
    expect(await stateOf(requestId)).toBe('done')
    const receipts = await readReceipts(users.ctx.db, requestId)
    expect(receipts.map(({ service }) => service).toSorted()).toEqual([...participants, 'users'].toSorted())
    expect(receipts.find(({ service }) => service === 'search')?.receipt).toEqual({ of: 'search' })
    expect(receipts.find(({ service }) => service === 'users')?.receipt).toMatchObject({ email: 'ann@example.com' })
    expect(await told(accountId)).toEqual(['EXPORT'])
  })

  it('is refused when one service has money of theirs in flight, and changes nothing', async () => {
    const { browser, accountId, requestId } = await begin('ben', 'erasure')
    for (const service of participants.slice(1)) await answer(requestId, service, ASK, [])
    await answer(requestId, 'catalog', ASK, ['Offers wait for an answer: 1.'])
    expect(await stateOf(requestId)).toBe('refused')
    expect(await told(accountId)).toEqual(['ASK'])
    expect((await browser.ask('GET', '/api/users/me')).statusCode).toBe(200)
  })

  it('erases the account and its sessions before the others erase theirs', async () => {
    const { browser, accountId, requestId } = await begin('cay', 'erasure')
    await browser.ask('POST', '/api/users/notification-preferences', { deals: true, offers: true })
    await answerAll(requestId, ASK, [])
    expect([await stateOf(requestId), await told(accountId)]).toEqual(['erasing', ['ASK', 'ERASE']])
    expect((await browser.ask('GET', '/api/users/me')).statusCode).toBe(401)
    const profiles = await users.rpc.getProfiles({ userIds: [accountId] })
    expect(profiles.profiles.map(({ name, picture }) => [name, picture])).toEqual([['Former member', '']])
    expect(await findAccountId(users.ctx.db, 'cay@example.com')).toBe(undefined)

    await answerAll(requestId, ERASE, { things: 1 })
    expect(await stateOf(requestId)).toBe('done')
    const receipts = (await readReceipts(users.ctx.db, requestId)).filter(({ step }) => step === 'erase')
    expect(receipts.map(({ service }) => service).toSorted()).toEqual([...participants, 'users'].toSorted())
    expect(receipts.find(({ service }) => service === 'users')?.receipt).toMatchObject({ sessions: 1, preferences: 1 })

    await signIn(users, stage.provider, person('cay'))
    expect(await findAccountId(users.ctx.db, 'cay@example.com')).not.toBe(accountId)
  })

  it('moves on once when the last answers come together, and knows an answer that comes too late', async () => {
    const { accountId, requestId } = await begin('dan', 'erasure')
    await Promise.all(Array.from({ length: 4 }, () => answerAll(requestId, ASK, [])))
    expect(await told(accountId)).toEqual(['ASK', 'ERASE'])
    await answer(requestId, 'catalog', ASK, ['Too late.'])
    await answer(newId(), 'catalog', ASK, [])
    expect(await stateOf(requestId)).toBe('erasing')
  })

  it('is one for a person and kind, however often it is asked for', async () => {
    const { accountId, requestId } = await begin('eve', 'export')
    const again = await Promise.all(Array.from({ length: 8 }, () => beginRequest(users.ctx.db, accountId, 'export')))
    expect(new Set(again)).toEqual(new Set([requestId]))
    expect(await told(accountId)).toEqual(['EXPORT'])
  })

  it('is forgotten some time after it ended, with the copy that it made', async () => {
    const { requestId } = await begin('fay', 'export')
    await answerAll(requestId, EXPORT, {})
    await sql`update personal_data_requests set finished_at = now() - interval '1 hour' where id = ${requestId}`.execute(
      users.ctx.db,
    )
    expect(await forgetOldRequests(users.ctx.db, stage.settings.KEEP_REQUESTS_MS)).toBe(1)
    expect(await readReceipts(users.ctx.db, requestId)).toEqual([])
  })
})
