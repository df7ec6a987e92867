import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { unauthenticated } from '../errors/problem.ts'
import { openLog } from '../telemetry/log.ts'
import { buildPublicApp, type PublicApp } from './http.ts'
import { routeResponses } from './responses.ts'

interface Operation {
  security: unknown
  requestBody?: { required: boolean; content: Record<string, { schema: unknown }> }
  parameters?: readonly { name: string; in: string; schema: { pattern: string; maxLength: number } }[]
  responses: Record<string, { content: unknown }>
}

let app: PublicApp
let operations: Record<string, Operation>

beforeAll(async () => {
  app = buildPublicApp({
    name: 'test',
    log: openLog('test', 'silent'),
    verifyToken: () => Promise.reject(unauthenticated()),
  })
  app.register(async (scope) => addRoutes(scope.withTypeProvider()))
  await app.ready()
  const { paths } = z
    .object({ paths: z.record(z.string(), z.record(z.string(), z.custom<Operation>())) })
    .parse(app.swagger())
  operations = Object.fromEntries(
    Object.entries(paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, operation]) => [`${method} ${path}`, operation]),
    ),
  )
})
afterAll(() => app.close())

const Empty = z.strictObject({})

function addRoutes(scope: PublicApp): void {
  const response = routeResponses({ 200: Empty })
  const handler = async () => ({})
  scope.get('/closed', { schema: { response } }, handler)
  scope.get('/open/:id', { config: { open: true }, schema: { response } }, handler)
  scope.get('/public', { config: { open: true, ignoresSession: true }, schema: { response } }, handler)
  scope.get('/list', { schema: { querystring: z.object({ q: z.string() }), response } }, handler)
  const search = z.object({ kind: z.enum(['a']), sort: z.enum(['a']).optional() })
  scope.get('/search', { schema: { querystring: search, response } }, handler)
  scope.post('/write', { schema: { response: routeResponses({ 200: Empty }, 403) } }, handler)
  const body = z.object({ n: z.int().optional() })
  scope.post('/body', { config: { open: true }, schema: { body, response } }, handler)
  scope.post('/no-body', { config: { open: true }, schema: { body: body.nullish(), response } }, handler)
  scope.post('/chat', { config: { open: true }, schema: { response } }, handler)
  scope.post('/track', { config: { open: true, acceptsKey: true }, schema: { response } }, handler)
}

describe('the document of a service', () => {
  it('names a request body as required unless a request without one is accepted', async () => {
    const read = async (url: string) => {
      const { statusCode } = await app.inject({ method: 'POST', url })
      return [operations[`post ${url}`]?.requestBody?.required, statusCode]
    }
    expect(await read('/body')).toEqual([true, 400])
    expect(await read('/no-body')).toEqual([false, 200])
  })

  it('does not document null as a request body, because the JSON value null is refused', async () => {
    const { statusCode } = await app.inject({
      method: 'POST',
      url: '/no-body',
      payload: 'null',
      headers: { 'content-type': 'application/json' },
    })
    expect(statusCode).toBe(400)
    expect(operations['post /no-body']?.requestBody?.content['application/json']?.schema).toEqual({
      anyOf: [expect.objectContaining({ type: 'object' })],
    })
  })

  it.each([
    ['get /closed', '200 401 500 503', [{ accessToken: [] }]],
    ['get /open/{id}', '200 401 404 500 503', [{}, { accessToken: [] }]],
    ['get /public', '200 500 503', []],
    ['get /list', '200 400 401 500 503', [{ accessToken: [] }]],
    ['post /write', '200 400 401 403 409 413 415 422 500 503', [{ accessToken: [] }]],
    ['post /chat', '200 400 401 413 415 500 503', [{}, { accessToken: [] }]],
    ['post /track', '200 400 401 409 413 415 422 500 503', [{}, { accessToken: [] }]],
  ])('declares the statuses and the security of %s', (name, statuses, security) => {
    const operation = operations[name]
    expect(Object.keys(operation?.responses ?? {}).join(' ')).toBe(statuses)
    expect(operation?.security).toEqual(security)
  })

  it('declares the shape of every error response', () => {
    const problem = { 'application/json': { schema: { $ref: '#/components/schemas/Problem' } } }
    const errors = Object.values(operations).flatMap(({ responses }) =>
      Object.entries(responses).flatMap(([status, { content }]) => (status === '200' ? [] : [content])),
    )
    expect(errors).toEqual(errors.map(() => problem))
  })

  it('declares the Idempotency-Key of the routes that accept one', () => {
    const accepting = Object.entries(operations).filter(([, { parameters = [] }]) =>
      parameters.some(({ name }) => name === 'Idempotency-Key'),
    )
    expect(accepting.map(([name]) => name)).toEqual(['post /write', 'post /track'])
  })

  // Surrounding spaces are absent, because HTTP strips them from the value of a header.
  it.each([
    ['a', true],
    ['a b', true],
    ['~!"', true],
    ['x'.repeat(255), true],
    ['', false],
    ['x'.repeat(256), false],
    ['schlüssel', false],
    ['a\tb', false],
    ['a\u007F', false],
  ])('declares a pattern that fits the key %j exactly if the server accepts it', async (key, isAccepted) => {
    const [parameter] = operations['post /track']?.parameters ?? []
    const { pattern, maxLength } = parameter?.schema ?? { pattern: '', maxLength: 0 }
    expect(new RegExp(pattern).test(key) && key.length <= maxLength).toBe(isAccepted)
    const response = await app.inject({ method: 'POST', url: '/track', headers: { 'idempotency-key': key } })
    const details = response.json<{ details?: { path: string }[] }>().details ?? []
    expect(details.map(({ path }) => path)).toEqual(isAccepted ? [] : ['Idempotency-Key'])
  })

  it('declares that an optional parameter may be empty, and that a required one may not', () => {
    const schemas = operations['get /search']?.parameters?.map(({ schema }) => schema)
    const empty = { type: 'string', maxLength: 0 }
    expect(schemas).toEqual([{ type: 'string', enum: ['a'] }, { anyOf: [{ type: 'string', enum: ['a'] }, empty] }])
  })

  it('ignores the token of a request to a route that ignores the session', async () => {
    const headers = { authorization: 'Bearer bad' }
    expect((await app.inject({ url: '/public', headers })).statusCode).toBe(200)
    expect((await app.inject({ url: '/open/1', headers })).statusCode).toBe(401)
  })
})
