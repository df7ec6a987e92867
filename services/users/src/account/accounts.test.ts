import { Code } from '@connectrpc/connect'
import { newId } from '@marketplace/kit/values/ids.ts'
import { UsersService } from '@marketplace/contracts/gen/marketplace/users/v1/users_pb.ts'
import { rpcClient } from '@marketplace/kit/rpc/rpc.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openBrowser, person, signIn } from '../testing/browser.ts'
import { createHarness, type Instance, type Harness } from '../testing/harness.ts'

let harness: Harness
let users: Instance

beforeAll(async () => {
  harness = await createHarness()
  users = await harness.startInstance()
})
afterAll(() => harness.close())

describe('GET /api/users/me', () => {
  it('AUTH-07 returns the signed-in user', async () => {
    const alice = await signIn(users, harness.provider, person('alice'))
    const response = await alice.request('GET', '/api/users/me')
    expect(response.statusCode).toBe(200)
    expect(response.json()).toEqual({
      id: expect.any(String),
      email: 'alice@example.com',
      google_user_data: { name: 'alice', picture: 'https://pictures.example/me.jpg' },
    })
    expect(response.headers['cache-control']).toBe('no-store')
  })

  it('AUTH-07 returns 401 when signed out or for a foreign token', async () => {
    expect((await openBrowser(users).request('GET', '/api/users/me')).statusCode).toBe(401)
    const stranger = openBrowser(users)
    stranger.cookies.set('marketplace_access_8080', 'eyJhbGciOiJub25lIn0.e30.AA')
    expect((await stranger.request('GET', '/api/users/me')).statusCode).toBe(401)
  })
})

describe('GetProfiles', () => {
  it('returns names and pictures and omits unknown ids', async () => {
    const bob = await signIn(users, harness.provider, person('bob', { picture: undefined }))
    const { id } = (await bob.request('GET', '/api/users/me')).json<{ id: string }>()
    const { profiles } = await users.rpc.getProfiles({ userIds: [id, newId(), 'no id', id] })
    expect(profiles).toMatchObject([{ userId: id, name: 'bob', picture: '' }])
    expect((await users.rpc.getProfiles({ userIds: [] })).profiles).toEqual([])
  })

  it('G4 rejects more than 100 ids and callers without the secret', async () => {
    const many = Array.from({ length: 101 }, newId)
    await expect(users.rpc.getProfiles({ userIds: many })).rejects.toMatchObject({ code: Code.InvalidArgument })
    const stranger = rpcClient(UsersService, users.internalUrl, 'another secret')
    await expect(stranger.getProfiles({ userIds: [] })).rejects.toMatchObject({ code: Code.Unauthenticated })
  })
})
