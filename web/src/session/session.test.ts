import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'

const ann = { id: 'u1', email: 'ann@example.com', google_user_data: { name: 'Ann', picture: null } }

/** Imports the module with fresh state and stubs fetch with responses by path. */
async function sessionWith(responses: Record<string, () => Promise<Response>>) {
  const requests: string[] = []
  vi.stubGlobal('fetch', (path: string) => {
    requests.push(path)
    return responses[path]?.() ?? Promise.reject(new Error(`unexpected ${path}`))
  })
  vi.resetModules()
  return { requests, ...(await import('./session.ts')) }
}

const json = (status: number, body: unknown) => async () => Response.json(body, { status })

describe('the session calls', () => {
  const logged = vi.spyOn(console, 'error').mockImplementation(() => {})
  beforeEach(() => logged.mockClear())
  afterEach(() => vi.unstubAllGlobals())

  it('AUTH-10 merges concurrent user fetches into one request', async () => {
    const session = await sessionWith({ '/api/users/me': json(200, ann) })
    const users = await Promise.all([session.fetchUser(), session.fetchUser(), session.fetchUser()])
    expect(users).toEqual([ann, ann, ann])
    expect(session.requests).toEqual(['/api/users/me'])
    await session.fetchUser()
    expect(session.requests).toHaveLength(2)
  })

  it('logs a rejected user fetch and returns null', async () => {
    const session = await sessionWith({ '/api/users/me': json(401, { error: 'Sign in first.' }) })
    expect(await session.fetchUser()).toBeNull()
    expect(logged.mock.calls).toEqual([['Failed to fetch user: API responded with HTTP status 401']])
  })

  it('returns null when the network fails', async () => {
    const session = await sessionWith({})
    expect(await session.fetchUser()).toBeNull()
    expect(logged).toHaveBeenCalledOnce()
  })

  it('AUTH-05 throws without a code in the page URL', async () => {
    const session = await sessionWith({})
    const message = 'Cannot exchange code for session token: no code provided in the URL search params.'
    await expect(session.exchangeCode('?state=x')).rejects.toThrow(message)
    expect(session.requests).toEqual([])
  })

  it('exchanges a code once for all callers and fetches the user after it', async () => {
    const session = await sessionWith({ '/api/sessions': json(201, ann), '/api/users/me': json(200, ann) })
    const users = await Promise.all([session.exchangeCode('?code=c&state=s'), session.exchangeCode('?code=c&state=s')])
    expect(users).toEqual([ann, ann])
    expect(await session.exchangeCode('?code=c')).toEqual(ann)
    expect(session.requests).toEqual(['/api/sessions', '/api/users/me'])
  })

  it('ignores the result of a user fetch that began before the exchange', async () => {
    const responses = [json(401, {}), json(200, ann)]
    const session = await sessionWith({
      '/api/sessions': json(201, ann),
      '/api/users/me': () => responses.shift()?.() ?? Promise.reject(new Error('too many requests')),
    })
    const early = session.fetchUser()
    expect(await session.exchangeCode('?code=c')).toEqual(ann)
    expect(await early).toBeNull()
  })

  it('logs and throws when the exchange is rejected', async () => {
    const session = await sessionWith({ '/api/sessions': json(401, {}) })
    const message = 'Failed to exchange code for session token: API responded with HTTP status 401'
    await expect(session.exchangeCode('?code=used')).rejects.toThrow(message)
    expect(logged.mock.calls).toEqual([[message]])
  })

  it('logs a failing logout with its error', async () => {
    const session = await sessionWith({ '/api/logout': json(503, {}) })
    await session.endSession()
    expect(logged.mock.calls).toEqual([['Failed to logout:', new Error('API responded with HTTP status 503')]])
  })
})
