import { isId, newId } from '@marketplace/kit/ids.ts'
import { someone } from '@marketplace/testing/keys.ts'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { ask } from '../testing/ask.ts'
import { renewed, sessionOver } from '../testing/fake-users.ts'
import { cookieLine, setCookies } from '../testing/sign-in.ts'
import { startStage, type Stage } from '../testing/stage.ts'

let stage: Stage

beforeAll(async () => {
  stage = await startStage()
})

afterAll(() => stage.stop())

beforeEach(() => {
  stage.upstreams.catalog.seen.length = 0
  stage.upstreams.catalog.answer = async () => ({})
  stage.users.answer = async () => sessionOver()
})

const [lamp, chair] = [newId(), newId()]
const read = (listing: string, headers: Record<string, string> = {}, path = `/api/listings/${listing}`) =>
  ask(stage.port, { path, headers })
const viewersSeen = () => stage.upstreams.catalog.seen.map(({ headers }) => headers['x-viewer-id'])

async function newBrowser(): Promise<{ id: string; cookie: string }> {
  const line = setCookies(await read(lamp))[stage.names.viewer] ?? ''
  const [value = ''] = line.split(';')
  stage.upstreams.catalog.seen.length = 0
  return { id: value.split('.')[0] ?? '', cookie: `${stage.names.viewer}=${value}` }
}

describe('the viewer of a listing, signed out', () => {
  it('gets a cookie of its own that scripts cannot read, for a year', async () => {
    const [one, two] = [await read(lamp), await read(lamp)].map((answer) => setCookies(answer)[stage.names.viewer])

    expect(one).toMatch(/^[\da-f-]{36}\.[\da-f-]{36}; Path=\/; Expires=[^;]+ GMT; HttpOnly; SameSite=Lax$/)
    expect(isId(one?.slice(0, 36) ?? '')).toBe(true)
    const days = (Date.parse(/Expires=([^;]+)/.exec(one ?? '')?.[1] ?? '') - Date.now()) / 86_400_000
    expect(Math.round(days)).toBe(365)
    expect(two?.slice(0, 36)).not.toBe(one?.slice(0, 36))
  })

  it('LIST-20 counts by the address until it has the cookie, and for the listing that it got it with', async () => {
    await read(lamp)
    expect(viewersSeen()).toEqual([undefined])
    const browser = await newBrowser()
    await read(lamp, { cookie: browser.cookie })
    const other = await read(chair, { cookie: browser.cookie })

    expect(viewersSeen()).toEqual([undefined, browser.id])
    expect(stage.upstreams.catalog.seen[0]?.headers['x-forwarded-for']).toBe('127.0.0.1')
    expect(setCookies(other)).toEqual({})
  })

  it('is nobody whom the client names itself', async () => {
    const browser = await newBrowser()
    await read(chair, { 'x-viewer-id': newId() })
    await read(chair, { 'x-viewer-id': newId(), cookie: browser.cookie })
    await read(chair, { cookie: `${stage.names.viewer}=someone` })
    await read(chair, { cookie: `${browser.cookie}; ${browser.cookie}` })

    expect(viewersSeen()).toEqual([undefined, browser.id, undefined, undefined])
  })

  it('is told of where views are counted alone', async () => {
    const browser = await newBrowser()
    const answer = await read('', { cookie: browser.cookie }, '/api/categories')

    expect(viewersSeen()).toEqual([undefined])
    expect(setCookies(answer)).toEqual({})
  })

  it('gets no cookie for a listing that does not exist', async () => {
    stage.upstreams.catalog.answer = (_request, reply) => reply.code(404).send({})

    expect(setCookies(await read(lamp))).toEqual({})
  })

  it('gets the cookie beside the end of a session', async () => {
    const answer = await read(lamp, { cookie: cookieLine(stage, { refresh: 'over' }) })

    expect(Object.keys(setCookies(answer)).toSorted()).toEqual(
      [stage.names.access, stage.names.refresh, stage.names.viewer].toSorted(),
    )
  })
})

describe('the viewer of a listing, signed in', () => {
  it('is the user, with no cookie', async () => {
    const browser = await newBrowser()
    const access = await stage.keys.token(someone())
    const answer = await read(chair, { cookie: `${cookieLine(stage, { access })}; ${browser.cookie}` })
    stage.users.answer = async () => renewed(access, 'r2')
    const refreshed = await read(chair, { cookie: cookieLine(stage, { refresh: 'r1' }) })

    expect(viewersSeen()).toEqual([undefined, undefined])
    expect(setCookies(answer)).toEqual({})
    expect(Object.keys(setCookies(refreshed))).not.toContain(stage.names.viewer)
  })
})
