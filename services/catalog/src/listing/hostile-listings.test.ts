import { once } from 'node:events'
import { createServer } from 'node:http'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { lamp, setStage, type Stage } from '../testing/stage.ts'

let stage: Stage

beforeAll(async () => {
  stage = await setStage()
})
afterAll(() => stage.close())

describe('a listing that means harm', () => {
  it.each([
    ['a\r\nX-Put: in', 400],
    ['a\u2028X-Put: in', 201],
  ])('G17 puts nothing of the title %j into a header', async (title, expected) => {
    const { status, headers } = await stage.call('POST', '/api/listings', {
      as: stage.seller,
      body: { ...lamp, title },
    })
    expect(status).toBe(expected)
    expect(JSON.stringify(headers)).not.toMatch(/x-put/i)
  })

  it('S8 fetches no picture, whatever its address', async () => {
    const asked: (string | undefined)[] = []
    const host = createServer((request, response) => {
      asked.push(request.url)
      response.end()
    }).listen(0, '127.0.0.1')
    await once(host, 'listening')
    const address = host.address()
    const port = typeof address === 'object' && address ? address.port : 0
    const names = ['127.0.0.1', '[::1]', '0x7f000001', '2130706433', 'localhost', '169.254.169.254']
    const image_urls = names.map((name) => `http://${name}:${port}/secret`)
    const { status, body } = await stage.post({ ...lamp, image_urls })
    expect(status).toBe(201)
    await stage.get(`/api/listings/${String(body['id'])}`)
    host.close()
    expect(asked).toEqual([])
  })
})
