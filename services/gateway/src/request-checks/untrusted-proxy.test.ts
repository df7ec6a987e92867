import fastify from 'fastify'
import { openLog } from '@marketplace/kit/telemetry/log.ts'
import { expect, it, vi } from 'vitest'
import { warnAboutUntrustedProxy } from './untrusted-proxy.ts'

async function warningsOf(trusted: readonly string[], headers: Record<string, string>): Promise<number> {
  const log = openLog('test', 'silent')
  const warn = vi.spyOn(log, 'warn')
  const app = fastify()
  warnAboutUntrustedProxy(app, trusted, log)
  for (let sent = 0; sent < 3; sent += 1) await app.inject({ url: '/', headers })
  return warn.mock.calls.length
}

it('reports forwarded requests once when no proxy is trusted', async () => {
  const forwarded = { 'x-forwarded-for': '203.0.113.1' }
  expect(await warningsOf([], forwarded)).toBe(1)
  expect(await warningsOf(['10.0.0.0/8'], forwarded)).toBe(0)
  expect(await warningsOf([], {})).toBe(0)
})
