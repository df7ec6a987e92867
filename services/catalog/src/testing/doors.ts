import type { Client } from '@connectrpc/connect'
import { CatalogService } from '@marketplace/contracts/gen/marketplace/catalog/v1/catalog_pb.ts'
import { SalesService } from '@marketplace/contracts/gen/marketplace/sales/v1/sales_pb.ts'
import { rpcClient } from '@marketplace/kit/rpc.ts'
import type { Service } from '@marketplace/kit/service.ts'
import type { TestKeys, TestUser } from '@marketplace/testing/keys.ts'
import { testSecret } from '@marketplace/testing/settings.ts'
import type { CatalogSettings } from '../config.ts'
import { createCatalogService } from '../service.ts'

/** One process's worth of the service, with a pool of its own; without relay, consumers and sweeps. */
export interface Door {
  service: Service
  publicUrl: string
  catalog: Client<typeof CatalogService>
  sales: Client<typeof SalesService>
}

export interface Answer<Body = Record<string, unknown>> {
  status: number
  headers: Record<string, unknown>
  body: Body
}

export interface Call {
  as?: TestUser | undefined
  /** A string is sent as it is. */
  body?: unknown
  headers?: Record<string, string>
}

export async function openDoor(settings: CatalogSettings): Promise<Door> {
  const service = createCatalogService(settings)
  const internalUrl = await service.internalApp.listen({ host: '127.0.0.1', port: 0 })
  const publicUrl = await service.publicApp.listen({ host: '127.0.0.1', port: 0 })
  return {
    service,
    publicUrl,
    catalog: rpcClient(CatalogService, internalUrl, testSecret),
    sales: rpcClient(SalesService, internalUrl, testSecret),
  }
}

/** The same with relay, consumers and sweeps. */
export async function startDoor(settings: CatalogSettings): Promise<Pick<Door, 'service' | 'publicUrl'>> {
  const service = createCatalogService(settings)
  await service.start()
  return { service, publicUrl: service.publicApp.listeningOrigin }
}

/** A call over HTTP, as the gateway makes it. */
export async function callAt<Body>(
  { publicUrl }: Pick<Door, 'publicUrl'>,
  keys: TestKeys,
  [method, url, { as, body, headers }]: [method: string, url: string, call: Call],
): Promise<Answer<Body>> {
  const response = await fetch(publicUrl + url, {
    method,
    headers: {
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...(as && (await keys.authorization(as))),
      ...headers,
    },
    body: body === undefined || typeof body === 'string' ? body : JSON.stringify(body),
  })
  const answered: Body = await response.json()
  return { status: response.status, headers: Object.fromEntries(response.headers), body: answered }
}
