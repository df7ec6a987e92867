import { newId } from '@marketplace/kit/ids.ts'
import { eventually } from '@marketplace/testing/eventually.ts'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { ask } from '../testing/ask.ts'
import { serveAuction } from '../testing/fake-auction.ts'
import { listen } from '../testing/listen.ts'
import { startStage, type Stage } from '../testing/stage.ts'

let stage: Stage
beforeAll(async () => {
  stage = await startStage({ MAX_WATCHERS_PER_ADDRESS: 60 })
})
beforeEach(() => {
  stage.upstreams.catalog.seen.length = 0
  serveAuction(stage)
})
afterAll(() => stage.stop())

const watch = (id: string) => listen(stage.port, `/api/auctions/${id}/stream`)

describe('a stream that cannot be opened', () => {
  const answer = (id: string) => ask(stage.port, { path: `/api/auctions/${id}/stream` })

  it('is 404 for an unknown listing and for what is no id', async () => {
    stage.upstreams.catalog.answer = (_request, reply) => reply.code(404).send({ error: 'x', code: 'not_found' })
    const [unknown, malformed] = await Promise.all([answer(newId()), answer('1')])

    expect([unknown.status, unknown.json()]).toEqual([
      404,
      { error: 'This listing does not exist.', code: 'not_found' },
    ])
    expect(unknown.headers['content-type']).toBe('application/json; charset=utf-8')
    expect(malformed.status).toBe(404)
  })

  it('is 409 for a fixed price', async () => {
    serveAuction(stage, { is_auction: false })
    const refused = await answer(newId())

    expect([refused.status, refused.json()]).toEqual([
      409,
      { error: 'This listing is not an auction.', code: 'not_an_auction' },
    ])
  })

  it('is 503 while catalog is in trouble', async () => {
    stage.upstreams.catalog.answer = (_request, reply) => reply.code(500).send({})
    const refused = await answer(newId())

    expect([refused.status, refused.headers['retry-after']]).toEqual([503, '1'])
  })

  it('is 429 when one address watches too much already, until it watches less', async () => {
    const streams = await Promise.all(Array.from({ length: 60 }, () => watch(newId())))
    const refused = await answer(newId())
    expect([refused.status, refused.json()]).toMatchObject([429, { code: 'too_many_streams' }])
    streams[0]?.close()

    expect(
      await eventually(async () => {
        const again = await watch(newId())
        return again.status === 200
      }),
    ).toBe(true)
  })

  it('answers HEAD without opening one', async () => {
    const head = await ask(stage.port, { method: 'HEAD', path: `/api/auctions/${newId()}/stream` })

    expect([head.status, head.headers['content-type']]).toEqual([200, 'text/event-stream; charset=utf-8'])
    expect(stage.upstreams.catalog.seen.length).toBe(0)
  })
})
