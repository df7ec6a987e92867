import { describe, expect, it } from 'vitest'
import { expectToMatchContract, expectToMatchContractAt, type ApiDocument } from './contract.ts'

const json = (schema: object) => ({ content: { 'application/json': { schema } } })
const document: ApiDocument = {
  paths: {
    '/api/things/{id}': {
      get: { responses: { 200: json({ $ref: '#/components/schemas/Thing' }), 404: json({ type: 'object' }) } },
    },
    '/api/things/mine': { get: { responses: { 200: json({ type: 'array' }) } } },
  },
  components: {
    schemas: {
      Thing: { type: 'object', properties: { id: { type: 'integer' } }, required: ['id'], additionalProperties: false },
    },
  },
}

const response = (statusCode: number, body: unknown, type = 'application/json; charset=utf-8') => ({
  statusCode,
  headers: { 'content-type': type },
  body: JSON.stringify(body),
})
const check = (given: ReturnType<typeof response>) => () =>
  expectToMatchContract(document, 'GET', '/api/things/{id}', given)

describe('the contract check', () => {
  it('accepts declared responses', () => {
    expect(check(response(200, { id: 1 }))).not.toThrow()
    expect(check(response(404, { error: 'x' }))).not.toThrow()
  })

  it.each([
    ['a field of another type', response(200, { id: '1' })],
    ['a missing field', response(200, {})],
    ['an additional field', response(200, { id: 1, email: 'x' })],
    ['an undeclared status', response(409, {})],
    ['another content type', response(200, { id: 1 }, 'text/html')],
  ])('rejects %s', (_what, given) => {
    expect(check(given)).toThrow()
  })

  it('finds the path template with the fewest parameters', () => {
    const checkUrl = (url: string, given: ReturnType<typeof response>) => () =>
      expectToMatchContractAt(document, 'GET', url, given)
    expect(checkUrl('/api/things/7?x=1', response(200, { id: 7 }))).not.toThrow()
    expect(checkUrl('/api/things/mine', response(200, []))).not.toThrow()
    expect(checkUrl('/api/nothing', response(404, {}, 'text/html'))).not.toThrow()
    expect(checkUrl('/api/nothing', response(200, {}))).toThrow()
  })
})
