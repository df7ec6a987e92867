import { once } from 'node:events'
import { createServer } from 'node:http'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { lamp, createHarness, type Harness } from '../testing/harness.ts'

let harness: Harness

beforeAll(async () => {
  harness = await createHarness()
})
afterAll(() => harness.close())

describe('a hostile listing', () => {
  it.each([
    ['a\r\nX-Put: in', 400],
    ['a\u2028X-Put: in', 201],
  ])('G17 adds no response header with the title %j', async (title, expected) => {
    const { status, headers } = await harness.call('POST', '/api/listings', {
      as: harness.seller,
      body: { ...lamp, title },
    })
    expect(status).toBe(expected)
    expect(JSON.stringify(headers)).not.toMatch(/x-put/i)
  })

  it('S8 causes no request to the URLs of its images', async () => {
    const requests: (string | undefined)[] = []
    const host = createServer((request, response) => {
      requests.push(request.url)
      response.end()
    }).listen(0, '127.0.0.1')
    await once(host, 'listening')
    const address = host.address()
    const port = typeof address === 'object' && address ? address.port : 0
    const names = ['127.0.0.1', '[::1]', '0x7f000001', '2130706433', 'localhost', '169.254.169.254']
    const image_urls = names.map((name) => `http://${name}:${port}/secret`)
    const { status, body } = await harness.postListing({ ...lamp, image_urls })
    expect(status).toBe(201)
    await harness.get(`/api/listings/${String(body['id'])}`)
    host.close()
    expect(requests).toEqual([])
  })
})
