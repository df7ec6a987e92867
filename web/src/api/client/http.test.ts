import { afterEach, expect, it, vi } from 'vitest'
import { callApi } from './http.ts'

afterEach(() => vi.unstubAllGlobals())

it('starts a new trace for each request', async () => {
  const sent: (string | null)[] = []
  vi.stubGlobal('fetch', async (request: Request) => {
    sent.push(request.headers.get('traceparent'))
    return new Response('[]')
  })
  for (let times = 0; times < 2; times += 1) await callApi(new Request('https://shop.example/api/listings'))
  expect(sent).toEqual(Array(2).fill(expect.stringMatching(/^00-[\da-f]{32}-[\da-f]{16}-01$/)))
  expect(new Set(sent).size).toBe(2)
})
