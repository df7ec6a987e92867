import { Agent, request } from 'node:http'
import { expect, it } from 'vitest'
import { buildApp, closeGently } from './http.ts'
import { openLog } from './log.ts'

interface Got {
  status: number | undefined
  connection: string | undefined
}

const ask = (port: number, agent: Agent): Promise<Got> =>
  new Promise((resolve, reject) => {
    const asked = request({ port, agent, path: '/livez' }, (answer) => {
      answer.resume().once('end', () => resolve({ status: answer.statusCode, connection: answer.headers.connection }))
    })
    asked.once('error', reject).end()
  })

// Red without the wait in `closeGently`: the connection is cut under whoever keeps it.
it('a process that ends goes on answering for a while, and each answer ends its connection', async () => {
  const app = buildApp(openLog('test', 'silent'))
  app.get('/livez', async () => ({}))
  const url = await app.listen({ host: '127.0.0.1', port: 0 })
  const port = Number(new URL(url).port)
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  expect(await ask(port, agent)).toEqual({ status: 200, connection: 'keep-alive' })
  const closed = closeGently(app, 300)
  expect(await ask(port, agent)).toEqual({ status: 200, connection: 'close' })
  await closed

  await expect(ask(port, agent)).rejects.toMatchObject({ code: 'ECONNREFUSED' })
  agent.destroy()
})
