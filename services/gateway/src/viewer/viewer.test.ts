import { isId, newId } from '@marketplace/kit/values/ids.ts'
import { randomUser } from '@marketplace/testing/keys.ts'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { sendRequest } from '../testing/send-request.ts'
import { refreshedSession, expiredSession } from '../testing/fake-users.ts'
import { cookieHeader, setCookies } from '../testing/sign-in.ts'
import { createHarness, type Harness } from '../testing/harness.ts'

let harness: Harness

beforeAll(async () => {
  harness = await createHarness()
})

afterAll(() => harness.stop())

beforeEach(() => {
  harness.upstreams.catalog.received.length = 0
  harness.upstreams.catalog.respond = async () => ({})
  harness.users.respond = async () => expiredSession()
})

const [lamp, chair] = [newId(), newId()]
const read = (listing: string, headers: Record<string, string> = {}, path = `/api/listings/${listing}`) =>
  sendRequest(harness.port, { path, headers })
const viewersSeen = () => harness.upstreams.catalog.received.map(({ headers }) => headers['x-viewer-id'])

async function newBrowser(): Promise<{ id: string; cookie: string }> {
  const line = setCookies(await read(lamp))[harness.names.viewer] ?? ''
  const [value = ''] = line.split(';')
  harness.upstreams.catalog.received.length = 0
  return { id: value.split('.')[0] ?? '', cookie: `${harness.names.viewer}=${value}` }
}

describe('a signed-out viewer of a listing', () => {
  it('gets a unique HttpOnly cookie for a year', async () => {
    const [one, two] = [await read(lamp), await read(lamp)].map(
      (response) => setCookies(response)[harness.names.viewer],
    )

    expect(one).toMatch(/^[\da-f-]{36}\.[\da-f-]{36}\.[\w-]{22}; Path=\/; Expires=[^;]+ GMT; HttpOnly; SameSite=Lax$/)
    expect(isId(one?.slice(0, 36) ?? '')).toBe(true)
    const days = (Date.parse(/Expires=([^;]+)/.exec(one ?? '')?.[1] ?? '') - Date.now()) / 86_400_000
    expect(Math.round(days)).toBe(365)
    expect(two?.slice(0, 36)).not.toBe(one?.slice(0, 36))
  })

  it('LIST-20 is counted by the address until it sends the cookie, and for the listing that set the cookie', async () => {
    await read(lamp)
    expect(viewersSeen()).toEqual([undefined])
    const browser = await newBrowser()
    await read(lamp, { cookie: browser.cookie })
    const other = await read(chair, { cookie: browser.cookie })

    expect(viewersSeen()).toEqual([undefined, browser.id])
    expect(harness.upstreams.catalog.received[0]?.headers['x-forwarded-for']).toBe('127.0.0.1')
    expect(setCookies(other)).toEqual({})
  })

  it('is not identified by a header or by an invalid cookie', async () => {
    const browser = await newBrowser()
    await read(chair, { 'x-viewer-id': newId() })
    await read(chair, { 'x-viewer-id': newId(), cookie: browser.cookie })
    await read(chair, { cookie: `${harness.names.viewer}=invalid` })
    await read(chair, { cookie: `${browser.cookie}; ${browser.cookie}` })

    expect(viewersSeen()).toEqual([undefined, browser.id, undefined, undefined])
  })

  it('is not identified by a cookie with a signature of another id, and gets a new one', async () => {
    const [browser, other] = [await newBrowser(), await newBrowser()]
    const forged = browser.cookie.replace(browser.id, other.id)
    const response = await read(chair, { cookie: forged })

    expect(viewersSeen()).toEqual([undefined])
    const value = setCookies(response)[harness.names.viewer] ?? ''
    expect([browser.id, other.id]).not.toContain(value.slice(0, 36))
  })

  it.each([
    ['without a signature', ''],
    ['with an empty signature', '.'],
  ])('is not identified by a cookie %s, and gets a new one', async (_, suffix) => {
    const [id, { names }] = [newId(), harness]
    const response = await read(chair, { cookie: `${names.viewer}=${id}.${lamp}${suffix}` })

    expect(viewersSeen()).toEqual([undefined])
    expect(setCookies(response)[names.viewer]).not.toContain(id)
  })

  it('is forwarded only on routes that count views', async () => {
    const browser = await newBrowser()
    const response = await read('', { cookie: browser.cookie }, '/api/categories')

    expect(viewersSeen()).toEqual([undefined])
    expect(setCookies(response)).toEqual({})
  })

  it('gets no cookie for an unknown listing', async () => {
    harness.upstreams.catalog.respond = (_request, reply) => reply.code(404).send({})

    expect(setCookies(await read(lamp))).toEqual({})
  })

  it('gets the cookie in the response that deletes an ended session', async () => {
    const response = await read(lamp, { cookie: cookieHeader(harness, { refresh: 'over' }) })

    expect(Object.keys(setCookies(response)).toSorted()).toEqual(
      [harness.names.access, harness.names.refresh, harness.names.viewer].toSorted(),
    )
  })
})

describe('a signed-in viewer of a listing', () => {
  it('gets no cookie and sends no viewer id', async () => {
    const browser = await newBrowser()
    const access = await harness.keys.token(randomUser())
    const response = await read(chair, { cookie: `${cookieHeader(harness, { access })}; ${browser.cookie}` })
    harness.users.respond = async () => refreshedSession(access, 'r2')
    const refreshed = await read(chair, { cookie: cookieHeader(harness, { refresh: 'r1' }) })

    expect(viewersSeen()).toEqual([undefined, undefined])
    expect(setCookies(response)).toEqual({})
    expect(Object.keys(setCookies(refreshed))).not.toContain(harness.names.viewer)
  })
})
