import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { api, responseBody } from './client.ts'

let sent: Request[] = []
let body: BodyInit | null = '[]'

beforeEach(() => {
  sent = []
  body = '[]'
  vi.stubGlobal('Request', RequestOfPage)
  vi.stubGlobal('fetch', async (request: Request) => {
    sent.push(request)
    return new Response(body)
  })
})

afterEach(() => vi.unstubAllGlobals())

/** A request whose URL is relative to the page, as in a browser. */
class RequestOfPage extends Request {
  constructor(input: string, init?: RequestInit) {
    super(new URL(input, 'https://shop.example'), init)
  }
}

it('escapes path parameters', async () => {
  await api.GET('/api/listings/{id}', { params: { path: { id: 'a/b?c' } } })
  expect(sent[0]?.url).toBe('https://shop.example/api/listings/a%2Fb%3Fc')
})

it('sends query parameters and leaves out those without a value', async () => {
  await api.GET('/api/listings', { params: { query: { search: 'tea & milk', sort: undefined } } })
  expect(sent[0]?.url).toBe('https://shop.example/api/listings?search=tea+%26+milk')
})

it('sends a body as JSON with the given headers', async () => {
  await api.POST('/api/watchlist', { body: { listing_id: '7' }, headers: { 'Idempotency-Key': 'k' } })
  const [request] = sent
  expect(request?.method).toBe('POST')
  expect(request?.headers.get('content-type')).toBe('application/json')
  expect(request?.headers.get('idempotency-key')).toBe('k')
  expect(await request?.json()).toEqual({ listing_id: '7' })
})

it('sends no content type without a body', async () => {
  await api.POST('/api/users/me/sessions/end-others')
  expect(sent[0]?.headers.get('content-type')).toBeNull()
})

it('rejects a response without a body only where a body is needed', async () => {
  body = null
  const call = api.DELETE('/api/users/me/sessions/{id}', { params: { path: { id: '1' } } })
  expect(await call).toEqual({ data: undefined })
  await expect(responseBody(api.GET('/api/categories'))).rejects.toThrow('no body')
})
