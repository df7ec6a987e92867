import { create, toJson } from '@bufbuild/protobuf'
import { timestampFromDate } from '@bufbuild/protobuf/wkt'
import { SessionRevokedSchema } from '@marketplace/contracts/gen/marketplace/users/v1/users_pb.ts'
import { topics } from '@marketplace/contracts/topics.ts'
import { openBus } from '@marketplace/bus/open-bus.ts'
import type { Bus } from '@marketplace/kit/events/bus.ts'
import { newId } from '@marketplace/kit/values/ids.ts'
import { openLog } from '@marketplace/kit/telemetry/log.ts'
import { testDatabase, type TestDatabase } from '@marketplace/testing/database.ts'
import { eventually } from '@marketplace/testing/eventually.ts'
import { randomUser } from '@marketplace/testing/keys.ts'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { sendRequest } from '../testing/send-request.ts'
import { refreshedSession } from '../testing/fake-users.ts'
import { getMe, setCookies } from '../testing/sign-in.ts'
import { createHarness, type Harness } from '../testing/harness.ts'

let database: TestDatabase
let bus: Bus
let harness: Harness

beforeAll(async () => {
  database = await testDatabase()
  bus = await openBus({ BUS_DATABASE_URL: database.busUrl }, openLog('test', 'silent'))
  await eventually(() => bus.isHealthy())
  harness = await createHarness({ BUS_DATABASE_URL: database.busUrl })
})

afterAll(async () => {
  await harness.stop()
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
  const second: { harness?: Harness } = {}

  afterEach(async () => {
    await second.harness?.stop()
    delete second.harness
  })

  it('J13 C9 is rejected within seconds, also when its token was used before', async () => {
    const sessionId = newId()
    const access = await harness.keys.token({ ...randomUser(), sessionId })
    expect((await getMe(harness, { access })).status).toBe(200)
    await revoke(sessionId)

    expect(await eventually(async () => (await getMe(harness, { access })).status === 401)).toBe(true)
  })

  it('stays signed out after its refresh token was rejected', async () => {
    const sessionId = newId()
    const access = await harness.keys.token({ ...randomUser(), sessionId })
    await revoke(sessionId)
    await eventually(async () => (await getMe(harness, { access })).status === 401)

    const response = await getMe(harness, { access, refresh: 'r1' })
    expect(response.status).toBe(401)
    expect(Object.keys(setCookies(response)).length).toBe(2)
  })

  it('is rejected by a gateway that starts later', async () => {
    const sessionId = newId()
    await revoke(sessionId)
    const later = await createHarness({ BUS_DATABASE_URL: database.busUrl })
    second.harness = later
    const access = await later.keys.token({ ...randomUser(), sessionId })

    expect(await eventually(async () => (await getMe(later, { access })).status === 401)).toBe(true)
  })
})

describe('a gateway without its bus', () => {
  let disconnected: Harness
  let older: string

  beforeAll(async () => {
    disconnected = await createHarness()
    const startedAt = Math.floor(Date.now() / 1000)
    older = await disconnected.keys.token(randomUser())
    // The issue time of a token (`iat`) has a resolution of one second. So the test waits for the next second before it
    // starts another gateway, which must start later than the token was issued.
    await eventually(() => Math.floor(Date.now() / 1000) > startedAt)
  })

  afterAll(() => disconnected.stop())

  it('accepts tokens issued after its start', async () => {
    expect((await getMe(disconnected, { access: older })).status).toBe(200)
  })

  it('refreshes older tokens, and accepts none of them without a refresh', async () => {
    const late = await createHarness({ USERS_INTERNAL_URL: disconnected.users.url })
    const fresh = await disconnected.keys.token(randomUser())
    const bare = await getMe(late, { access: older })
    disconnected.users.respond = async () => refreshedSession(fresh, 'r2')
    const refreshed = await getMe(late, { access: older, refresh: 'r1' })
    disconnected.users.respond = () => Promise.reject(new Error('down'))
    const unavailable = await getMe(late, { access: older, refresh: 'r1' })
    await late.stop()

    expect([bare.status, refreshed.status, unavailable.status]).toEqual([503, 200, 503])
    expect(late.upstreams.users.received.map(({ headers }) => headers.authorization)).toEqual([`Bearer ${fresh}`])
  })
})

describe('a gateway without the signing keys', () => {
  it('responds with 503 where a session is required, and serves other routes', async () => {
    const access = await harness.keys.token(randomUser())
    const keyless = await createHarness({ USERS_INTERNAL_URL: 'http://127.0.0.1:1' })
    const closed = await getMe(keyless, { access, refresh: 'r1' })
    const open = await sendRequest(keyless.port, {
      path: '/api/listings',
      headers: { cookie: `${keyless.names.access}=${access}` },
    })
    await keyless.stop()

    expect([closed.status, closed.headers['retry-after'], closed.headers['set-cookie']]).toEqual([503, '1', undefined])
    expect(open.status).toBe(200)
    expect(keyless.upstreams.search.received[0]?.headers.authorization).toBeUndefined()
  })
})
