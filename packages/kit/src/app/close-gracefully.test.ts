import { Agent, request, type RequestOptions } from 'node:http'
import { CatalogService } from '@marketplace/contracts/gen/marketplace/catalog/v1/catalog_pb.ts'
import { testSecret } from '@marketplace/testing/settings.ts'
import { expect, it } from 'vitest'
import { buildApp, closeGracefully } from '../http/http.ts'
import { serveRpc } from '../rpc/rpc.ts'
import { openLog } from '../telemetry/log.ts'
import { buildInternalApp } from './internal.ts'

interface ReceivedResponse {
  status: number | undefined
  connection: string | undefined
}

const send = (options: RequestOptions, body = ''): Promise<ReceivedResponse> =>
  new Promise((resolve, reject) => {
    const outgoing = request(options, (response) => {
      response
        .resume()
        .once('end', () => resolve({ status: response.statusCode, connection: response.headers.connection }))
    })
    outgoing.once('error', reject).end(body)
  })

const get = (port: number, agent: Agent) => send({ port, agent, path: '/livez' })

// This test fails without the delay in `closeGracefully`: a kept-alive connection is cut.
it('keeps serving during the shutdown delay and closes each connection with its response', async () => {
  const app = buildApp(openLog('test', 'silent'))
  app.get('/livez', async () => ({}))
  const url = await app.listen({ host: '127.0.0.1', port: 0 })
  const port = Number(new URL(url).port)
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  expect(await get(port, agent)).toEqual({ status: 200, connection: 'keep-alive' })
  const closed = closeGracefully(app, 300)
  expect(await get(port, agent)).toEqual({ status: 200, connection: 'close' })
  await closed

  await expect(get(port, agent)).rejects.toMatchObject({ code: 'ECONNREFUSED' })
  agent.destroy()
})

it('keeps serving internal calls while the process drains and closes each connection with its response', async () => {
  const { app, drain } = buildInternalApp(openLog('test', 'silent'), async () => null)
  serveRpc(app, testSecret, (router) => {
    router.service(CatalogService, { getListings: () => ({}) })
  })
  const url = await app.listen({ host: '127.0.0.1', port: 0 })
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  const path = `/${CatalogService.typeName}/${CatalogService.method.getListings.name}`
  const headers = { 'content-type': 'application/json', 'x-internal-secret': testSecret }
  const call = () => send({ port: new URL(url).port, agent, method: 'POST', path, headers }, '{}')
  expect(await call()).toEqual({ status: 200, connection: 'keep-alive' })
  drain()
  expect(await call()).toEqual({ status: 200, connection: 'close' })
  await app.close()
  agent.destroy()
})
