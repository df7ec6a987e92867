import type { ConnectRouter } from '@connectrpc/connect'
import { serveRpc } from '@marketplace/kit/rpc/rpc.ts'
import fastify from 'fastify'
import { testSecret } from './settings.ts'

export interface FakeRpc {
  url: string
  stop(): Promise<void>
}

/** Starts a fake service that serves the given routes over the real transport and checks `testSecret`. */
export async function startFakeRpc(routes: (router: ConnectRouter) => void): Promise<FakeRpc> {
  const server = fastify({ forceCloseConnections: true })
  serveRpc(server, testSecret, routes)
  const url = await server.listen({ host: '127.0.0.1', port: 0 })
  return { url, stop: () => server.close() }
}
