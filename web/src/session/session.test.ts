import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'

const ann = { id: 'u1', email: 'ann@example.com', google_user_data: { name: 'Ann', picture: null } }

/** Fresh module state per test, with the network's answers by path. */
async function sessionWith(answers: Record<string, () => Promise<Response>>) {
  const asked: string[] = []
  vi.stubGlobal('fetch', (path: string) => {
    asked.push(path)
    return answers[path]?.() ?? Promise.reject(new Error(`unexpected ${path}`))
  })
  vi.resetModules()
  return { asked, ...(await import('./session.ts')) }
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
    expect(session.asked).toEqual(['/api/users/me'])
    await session.fetchUser()
    expect(session.asked).toHaveLength(2)
  })

  it('logs a refused user fetch and answers nobody', async () => {
    const session = await sessionWith({ '/api/users/me': json(401, { error: 'Sign in first.' }) })
    expect(await session.fetchUser()).toBeNull()
    expect(logged.mock.calls).toEqual([['Failed to fetch user: API responded with HTTP status 401']])
  })

  it('answers nobody when the network fails', async () => {
    const session = await sessionWith({})
    expect(await session.fetchUser()).toBeNull()
    expect(logged).toHaveBeenCalledOnce()
  })

  it('AUTH-05 throws without a code in the page address', async () => {
    const session = await sessionWith({})
    const message = 'Cannot exchange code for session token: no code provided in the URL search params.'
    await expect(session.exchangeCode('?state=x')).rejects.toThrow(message)
    expect(session.asked).toEqual([])
  })

  it('exchanges a code once for all callers and fetches the user after it', async () => {
    const session = await sessionWith({ '/api/sessions': json(201, ann), '/api/users/me': json(200, ann) })
    const users = await Promise.all([session.exchangeCode('?code=c&state=s'), session.exchangeCode('?code=c&state=s')])
    expect(users).toEqual([ann, ann])
    expect(await session.exchangeCode('?code=c')).toEqual(ann)
    expect(session.asked).toEqual(['/api/sessions', '/api/users/me'])
  })

  it('does not take the answer of a user fetch that began before the exchange', async () => {
    const answers = [json(401, {}), json(200, ann)]
    const session = await sessionWith({
      '/api/sessions': json(201, ann),
      '/api/users/me': () => answers.shift()?.() ?? Promise.reject(new Error('asked too often')),
    })
    const early = session.fetchUser()
    expect(await session.exchangeCode('?code=c')).toEqual(ann)
    expect(await early).toBeNull()
  })

  it('logs and throws when the exchange is refused', async () => {
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
