import { Agent, request } from 'node:http'
import { expect, it } from 'vitest'
import { buildApp, closeGracefully } from '../http/http.ts'
import { openLog } from '../telemetry/log.ts'

interface ReceivedResponse {
  status: number | undefined
  connection: string | undefined
}

const get = (port: number, agent: Agent): Promise<ReceivedResponse> =>
  new Promise((resolve, reject) => {
    const outgoing = request({ port, agent, path: '/livez' }, (response) => {
      response
        .resume()
        .once('end', () => resolve({ status: response.statusCode, connection: response.headers.connection }))
    })
    outgoing.once('error', reject).end()
  })

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
