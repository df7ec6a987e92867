import { create, toJson } from '@bufbuild/protobuf'
import { timestampFromDate } from '@bufbuild/protobuf/wkt'
import { SessionRevokedSchema } from '@marketplace/contracts/gen/marketplace/users/v1/users_pb.ts'
import { topics } from '@marketplace/contracts/topics.ts'
import { openBus, type Bus } from '@marketplace/kit/bus.ts'
import { newId } from '@marketplace/kit/ids.ts'
import { openLog } from '@marketplace/kit/log.ts'
import { testDatabase, type TestDatabase } from '@marketplace/testing/database.ts'
import { eventually } from '@marketplace/testing/eventually.ts'
import { someone } from '@marketplace/testing/keys.ts'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { ask } from '../testing/ask.ts'
import { renewed } from '../testing/fake-users.ts'
import { getMe, setCookies } from '../testing/sign-in.ts'
import { startStage, type Stage } from '../testing/stage.ts'

let database: TestDatabase
let bus: Bus
let stage: Stage

beforeAll(async () => {
  database = await testDatabase()
  bus = await openBus({ BUS_DATABASE_URL: database.busUrl }, openLog('test', 'silent'))
  await eventually(() => bus.isHealthy())
  stage = await startStage({ BUS_DATABASE_URL: database.busUrl })
})

afterAll(async () => {
  await stage.stop()
  await bus.close()
  await database.drop()
})

async function revoke(sessionId: string): Promise<void> {
  const expiresAt = timestampFromDate(new Date(Date.now() + 300_000))
  const revoked = create(SessionRevokedSchema, { sessionId, userId: newId(), expiresAt })
  const event = {
    id: newId(),
    topic: topics.users,
    key: newId(),
    type: SessionRevokedSchema.typeName,
    occurredAt: new Date().toISOString(),
    version: 1,
    traceparent: null,
    payload: toJson(SessionRevokedSchema, revoked),
  }
  await bus.publish([event])
}

describe('a revoked session', () => {
  const second: { stage?: Stage } = {}

  afterEach(async () => {
    await second.stage?.stop()
    delete second.stage
  })

  it('J13 C9 is barred soon in every gateway, also where its token was in use', async () => {
    const sessionId = newId()
    const access = await stage.keys.token({ ...someone(), sessionId })
    expect((await getMe(stage, { access })).status).toBe(200)
    await revoke(sessionId)

    expect(await eventually(async () => (await getMe(stage, { access })).status === 401)).toBe(true)
  })

  it('stays signed out after its refresh token was refused', async () => {
    const sessionId = newId()
    const access = await stage.keys.token({ ...someone(), sessionId })
    await revoke(sessionId)
    await eventually(async () => (await getMe(stage, { access })).status === 401)

    const answer = await getMe(stage, { access, refresh: 'r1' })
    expect(answer.status).toBe(401)
    expect(Object.keys(setCookies(answer)).length).toBe(2)
  })

  it('is known to a gateway that starts later', async () => {
    const sessionId = newId()
    await revoke(sessionId)
    const later = await startStage({ BUS_DATABASE_URL: database.busUrl })
    second.stage = later
    const access = await later.keys.token({ ...someone(), sessionId })

    expect(await eventually(async () => (await getMe(later, { access })).status === 401)).toBe(true)
  })
})

describe('a gateway whose bus is down', () => {
  let alone: Stage
  let older: string

  beforeAll(async () => {
    alone = await startStage()
    const startedAt = Math.floor(Date.now() / 1000)
    older = await alone.keys.token(someone())
    // Another gateway of the same keys, started in a later second than the token's.
    await eventually(() => Math.floor(Date.now() / 1000) > startedAt)
  })

  afterAll(() => alone.stop())

  it('takes tokens issued after its start', async () => {
    expect((await getMe(alone, { access: older })).status).toBe(200)
  })

  it('renews older ones, and takes none of them unseen', async () => {
    const late = await startStage({ USERS_INTERNAL_URL: alone.users.url })
    const fresh = await alone.keys.token(someone())
    const bare = await getMe(late, { access: older })
    alone.users.answer = async () => renewed(fresh, 'r2')
    const refreshed = await getMe(late, { access: older, refresh: 'r1' })
    alone.users.answer = () => Promise.reject(new Error('down'))
    const unanswered = await getMe(late, { access: older, refresh: 'r1' })
    await late.stop()

    expect([bare.status, refreshed.status, unanswered.status]).toEqual([503, 200, 503])
    expect(late.upstreams.users.seen.map(({ headers }) => headers.authorization)).toEqual([`Bearer ${fresh}`])
  })
})

describe('a gateway that cannot read the keys', () => {
  it('answers 503 where a session is needed, and serves the rest', async () => {
    const access = await stage.keys.token(someone())
    const blind = await startStage({ USERS_INTERNAL_URL: 'http://127.0.0.1:1' })
    const closed = await getMe(blind, { access, refresh: 'r1' })
    const open = await ask(blind.port, {
      path: '/api/listings',
      headers: { cookie: `${blind.names.access}=${access}` },
    })
    await blind.stop()

    expect([closed.status, closed.headers['retry-after'], closed.headers['set-cookie']]).toEqual([503, '1', undefined])
    expect(open.status).toBe(200)
    expect(blind.upstreams.search.seen[0]?.headers.authorization).toBeUndefined()
  })
})
