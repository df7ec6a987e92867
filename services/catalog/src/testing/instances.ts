import type { Client } from '@connectrpc/connect'
import { CatalogService } from '@marketplace/contracts/gen/marketplace/catalog/v1/catalog_pb.ts'
import { SalesService } from '@marketplace/contracts/gen/marketplace/sales/v1/sales_pb.ts'
import { rpcClient } from '@marketplace/kit/rpc/rpc.ts'
import type { Service } from '@marketplace/kit/app/service.ts'
import type { TestKeys, TestUser } from '@marketplace/testing/keys.ts'
import { testSecret } from '@marketplace/testing/settings.ts'
import type { CatalogSettings } from '../config.ts'
import { createCatalogService } from '../service.ts'

/** One instance of the service, with its own connection pool. Outbox relay, consumers and sweeps do not run. */
export interface Instance {
  service: Service
  publicUrl: string
  catalog: Client<typeof CatalogService>
  sales: Client<typeof SalesService>
}

export interface ApiResponse<Body = Record<string, unknown>> {
  status: number
  headers: Record<string, unknown>
  body: Body
}

export interface CallOptions {
  as?: TestUser | undefined
  /** A string is sent unchanged, any other value as JSON. */
  body?: unknown
  headers?: Record<string, string>
}

export async function startInstance(settings: CatalogSettings): Promise<Instance> {
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

/** Starts an instance with relay, consumers and sweeps. */
export async function startFullInstance(settings: CatalogSettings): Promise<Pick<Instance, 'service' | 'publicUrl'>> {
  const service = createCatalogService(settings)
  await service.start()
  return { service, publicUrl: service.publicApp.listeningOrigin }
}

/** Sends a request over HTTP with the headers that the gateway sends. */
export async function callApi<Body>(
  { publicUrl }: Pick<Instance, 'publicUrl'>,
  keys: TestKeys,
  [method, url, { as, body, headers }]: [method: string, url: string, call: CallOptions],
): Promise<ApiResponse<Body>> {
  const response = await fetch(publicUrl + url, {
    method,
    headers: {
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...(as && (await keys.authorization(as))),
      ...headers,
    },
    body: body === undefined || typeof body === 'string' ? body : JSON.stringify(body),
  })
  const received: Body = await response.json()
  return { status: response.status, headers: Object.fromEntries(response.headers), body: received }
}
