import { eventually } from '@marketplace/testing/eventually.ts'
import { randomUser } from '@marketplace/testing/keys.ts'
import type { FastifyReply } from 'fastify'
import { expect, it } from 'vitest'
import { postJson } from '../testing/send-request.ts'
import { getMe } from '../testing/sign-in.ts'
import { createHarness } from '../testing/harness.ts'

const connections = 256

/** Starts a response that never ends. */
function drip(reply: FastifyReply): FastifyReply {
  const { raw } = reply.hijack()
  raw.writeHead(200)
  const drops = setInterval(() => raw.write(' '), 10)
  raw.on('close', () => clearInterval(drops))
  return reply
}

// A request that waited for a connection reaches its service after its client has received a 503.
it('closes the connection of a response whose client already received a 503', async () => {
  const harness = await createHarness({ UPSTREAM_TIMEOUT_MS: 200, SLOW_UPSTREAM_TIMEOUT_MS: 60_000 })
  const held: FastifyReply[] = []
  let late: FastifyReply | undefined
  harness.upstreams.users.respond = ({ url }, reply) => {
    if (url === '/api/users/me') late = drip(reply)
    else held.push(reply)
  }
  const signIns = Array.from({ length: connections }, () => postJson(harness.port, '/api/sessions', { code: 'x' }))
  await eventually(() => held.length === connections)
  const { status } = await getMe(harness, { access: await harness.keys.token(randomUser()) })
  const wasReceived = late !== undefined
  for (const reply of held) reply.send({})
  await Promise.all(signIns)

  expect([status, wasReceived]).toEqual([503, false])
  expect(await eventually(() => late?.raw.closed)).toBe(true)
  await harness.stop()
})
