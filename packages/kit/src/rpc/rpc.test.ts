import { CatalogService } from '@marketplace/contracts/gen/marketplace/catalog/v1/catalog_pb.ts'
import { startFakeRpc, type FakeRpc } from '@marketplace/testing/fake-rpc.ts'
import { testSecret } from '@marketplace/testing/settings.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { responseOr, responseOr503, rpcClient } from './rpc.ts'

let catalog: FakeRpc

beforeAll(async () => {
  catalog = await startFakeRpc((router) => {
    router.service(CatalogService, { getListings: () => ({}) })
  })
})

afterAll(() => catalog.stop())

describe('a call with another internal secret', () => {
  const call = (secret: string) => rpcClient(CatalogService, catalog.url, secret).getListings({})

  it('counts as unavailable, because instances have different secrets until all are restarted', async () => {
    expect(await responseOr(call('another-secret'), null)).toBeNull()
    await expect(responseOr503(call('another-secret'), 'This listing')).rejects.toMatchObject({ kind: 'unavailable' })
    expect(await responseOr(call(testSecret), null)).toMatchObject({ listings: [] })
  })
})
