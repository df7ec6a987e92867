import { Code } from '@connectrpc/connect'
import { newId } from '@marketplace/kit/ids.ts'
import { UsersService } from '@marketplace/contracts/gen/marketplace/users/v1/users_pb.ts'
import { rpcClient } from '@marketplace/kit/rpc.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openBrowser, person, setStage, signIn, type Instance, type Stage } from '../testing/stage.ts'

let stage: Stage
let users: Instance

beforeAll(async () => {
  stage = await setStage()
  users = await stage.start()
})
afterAll(() => stage.close())

describe('GET /api/users/me', () => {
  it('AUTH-07 answers who is signed in', async () => {
    const alice = await signIn(users, stage.provider, person('alice'))
    const response = await alice.ask('GET', '/api/users/me')
    expect(response.statusCode).toBe(200)
    expect(response.json()).toEqual({
      id: expect.any(String),
      email: 'alice@example.com',
      google_user_data: { name: 'alice', picture: 'https://pictures.example/me.jpg' },
    })
    expect(response.headers['cache-control']).toBe('no-store')
  })

  it('AUTH-07 is 401 signed out, and with a token that is not ours', async () => {
    expect((await openBrowser(users).ask('GET', '/api/users/me')).statusCode).toBe(401)
    const stranger = openBrowser(users)
    stranger.cookies.set('marketplace_access_8080', 'eyJhbGciOiJub25lIn0.e30.AA')
    expect((await stranger.ask('GET', '/api/users/me')).statusCode).toBe(401)
  })
})

describe('GetProfiles', () => {
  it('answers names and pictures, and leaves out who is unknown', async () => {
    const bob = await signIn(users, stage.provider, person('bob', { picture: undefined }))
    const { id } = (await bob.ask('GET', '/api/users/me')).json<{ id: string }>()
    const { profiles } = await users.rpc.getProfiles({ userIds: [id, newId(), 'no id', id] })
    expect(profiles).toMatchObject([{ userId: id, name: 'bob', picture: '' }])
    expect((await users.rpc.getProfiles({ userIds: [] })).profiles).toEqual([])
  })

  it('G4 refuses more than 100 ids, and callers without the secret', async () => {
    const many = Array.from({ length: 101 }, newId)
    await expect(users.rpc.getProfiles({ userIds: many })).rejects.toMatchObject({ code: Code.InvalidArgument })
    const stranger = rpcClient(UsersService, users.internalUrl, 'another secret')
    await expect(stranger.getProfiles({ userIds: [] })).rejects.toMatchObject({ code: Code.Unauthenticated })
  })
})
