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

const answer = (statusCode: number, body: unknown, type = 'application/json; charset=utf-8') => ({
  statusCode,
  headers: { 'content-type': type },
  body: JSON.stringify(body),
})
const held = (given: ReturnType<typeof answer>) => () =>
  expectToMatchContract(document, 'GET', '/api/things/{id}', given)

describe('the contract check', () => {
  it('passes what is as declared', () => {
    expect(held(answer(200, { id: 1 }))).not.toThrow()
    expect(held(answer(404, { error: 'x' }))).not.toThrow()
  })

  it.each([
    ['a field of another type', answer(200, { id: '1' })],
    ['a missing field', answer(200, {})],
    ['a field too many', answer(200, { id: 1, email: 'x' })],
    ['a status that is not declared', answer(409, {})],
    ['another type of content', answer(200, { id: 1 }, 'text/html')],
  ])('refuses %s', (_what, given) => {
    expect(held(given)).toThrow()
  })

  it('finds the template of an address, the plainest first', () => {
    const at = (url: string, given: ReturnType<typeof answer>) => () =>
      expectToMatchContractAt(document, 'GET', url, given)
    expect(at('/api/things/7?x=1', answer(200, { id: 7 }))).not.toThrow()
    expect(at('/api/things/mine', answer(200, []))).not.toThrow()
    expect(at('/api/nothing', answer(404, {}, 'text/html'))).not.toThrow()
    expect(at('/api/nothing', answer(200, {}))).toThrow()
  })
})
