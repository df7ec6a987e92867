import { connect } from 'node:net'
import { eventually } from '@marketplace/testing/eventually.ts'
import { pino } from 'pino'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { registry } from '../telemetry/metrics.ts'
import { buildApp } from './http.ts'

const levels: string[] = []
const log = pino(
  { formatters: { level: (level) => ({ level }) } },
  { write: (line: string) => void levels.push(JSON.parse(line).level) },
)
const app = buildApp(log)
app.post('/listings', async () => ({}))
app.post('/failing', async () => {
  throw Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' })
})
let port = 0

beforeAll(async () => {
  port = Number(new URL(await app.listen({ host: '127.0.0.1', port: 0 })).port)
})

afterAll(() => app.close())

async function aborted(): Promise<number> {
  const text = await registry.getSingleMetricAsString('http_aborted_requests_total')
  return Number(/_total (\d+)$/m.exec(text)?.[1] ?? 0)
}

/** Sends half of a request body, then resets the connection. */
function sendAndReset(): void {
  const head = 'POST /listings HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{'
  const socket = connect(port, '127.0.0.1', () =>
    socket.write(head, () => setImmediate(() => socket.resetAndDestroy())),
  )
  socket.on('error', () => undefined)
}

describe('a request whose connection is reset', () => {
  it('is counted and causes no error in the log', async () => {
    const before = await aborted()
    for (let sent = 0; sent < 60; sent += 1) sendAndReset()
    await eventually(async () => (await aborted()) === before + 60)

    expect(levels.filter((level) => level === 'error')).toEqual([])
  })

  it('gets 503 with a warning in the log when a connection of the service was reset', async () => {
    const response = await app.inject({ method: 'POST', url: '/failing', payload: {} })

    expect([response.statusCode, levels.includes('warn')]).toEqual([503, true])
  })
})
