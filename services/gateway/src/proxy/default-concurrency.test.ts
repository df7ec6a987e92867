import type { FastifyReply } from 'fastify'
import { newId } from '@marketplace/kit/values/ids.ts'
import { eventually } from '@marketplace/testing/eventually.ts'
import { randomUser } from '@marketplace/testing/keys.ts'
import { expect, it } from 'vitest'
import { gatewaySettings } from '../config.ts'
import { createHarness } from '../testing/harness.ts'
import { postJson, sendRequest } from '../testing/send-request.ts'
import { cookieHeader } from '../testing/sign-in.ts'

const limit = gatewaySettings.shape.MAX_IN_FLIGHT.parse(undefined)

it('one service gets at most 2,000 concurrent requests, of which 1,000 are of low and 1,500 of low or normal priority', async () => {
  const harness = await createHarness({ MAX_IN_FLIGHT: limit, UPSTREAM_TIMEOUT_MS: 120_000 })
  const { port, upstreams, keys } = harness
  const held: FastifyReply[] = []
  upstreams.catalog.respond = (_request, reply) => {
    held.push(reply)
    return reply
  }
  const headers = { cookie: cookieHeader(harness, { access: await keys.token(randomUser()) }) }
  const received: Record<string, number[]> = {}
  const all: Promise<unknown>[] = []
  /** Sends `count` requests more than are accepted, and waits until these are rejected. */
  const fill = async (name: string, accepted: number, send: () => Promise<{ status: number }>) => {
    const statuses: number[] = (received[name] = [])
    const requests = Array.from({ length: accepted + 10 }, async () => void statuses.push((await send()).status))
    all.push(...requests)
    await eventually(() => statuses.length >= 10)
  }

  await fill('low', limit / 2, () => sendRequest(port, { path: '/api/categories' }))
  await fill('normal', limit / 4, () => sendRequest(port, { path: '/api/watchlist', headers }))
  await fill('critical', limit / 4, () => postJson(port, `/api/offers/${newId()}/accept`, {}, headers))
  const other = await sendRequest(port, { path: '/api/listings' })
  expect([limit, Object.values(received), other.status]).toEqual([2000, Array(3).fill(Array(10).fill(503)), 200])

  upstreams.catalog.respond = async () => ({})
  for (const reply of held) void reply.send({})
  await Promise.all(all)
  const accepted = Object.values(received).map((statuses) => statuses.filter((status) => status === 200).length)
  expect(accepted).toEqual([1000, 500, 500])
  await harness.stop()
})
