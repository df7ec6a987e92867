import { describe, expect, it } from 'vitest'
import { readDocument } from './document.ts'
import { extractUsedParts } from './extract.ts'
import { usedCalls, usedSchemas } from './used-parts.ts'

const text = { maxLength: 5000, type: 'string' }
const address = { properties: { city: text }, type: 'object' }
const customer = {
  anyOf: [text, { $ref: '#/components/schemas/customer' }],
  nullable: true,
  'x-expansionResources': { oneOf: [{ $ref: '#/components/schemas/customer' }] },
}

const properties = {
  amount: { description: 'In cents.', type: 'integer' },
  customer,
  metadata: { additionalProperties: { type: 'string' }, type: 'object' },
  reason: { enum: ['duplicate', 'fraudulent'], nullable: true, type: 'string' },
  shipping: { anyOf: [address, { enum: [''], type: 'string' }] },
  source: { $ref: '#/components/schemas/source' },
  wallet: { anyOf: [{ $ref: '#/components/schemas/wallet' }], nullable: true },
  error: { $ref: '#/components/schemas/api_errors' },
}
const form = { schema: { additionalProperties: false, properties, required: ['amount'], type: 'object' } }
const operation = {
  parameters: [{ in: 'query', name: 'created', schema: { anyOf: [address, { type: 'integer' }] } }],
  requestBody: { content: { 'application/x-www-form-urlencoded': form } },
  responses: { 200: { content: { 'application/json': { schema: { $ref: '#/components/schemas/charge' } } } } },
}
const document = {
  info: { version: '2026-08-26.dahlia' },
  paths: Object.fromEntries(usedCalls.map(({ path }) => [path, { get: operation, post: operation }])),
  components: { schemas: Object.fromEntries(Object.keys(usedSchemas).map((name) => [name, { properties }])) },
}

describe('the extract of a document', () => {
  const { version, requests, responses, definitions } = extractUsedParts(readDocument(JSON.stringify(document)), 'here')

  it('contains the used calls and schemas of its version', () => {
    expect(version).toBe('2026-08-26.dahlia')
    expect(Object.keys(requests)).toContain('GET /v1/refunds/{id}')
    expect(responses['GET /v1/refunds/{id}']).toEqual({ $ref: '#/definitions/charge' })
    expect(Object.keys(definitions)).toEqual(Object.keys(usedSchemas))
  })

  it('contains what validates, without unused objects and additional properties', () => {
    expect(definitions['charge']).toEqual({
      type: 'object',
      properties: {
        amount: { type: 'integer' },
        customer: { anyOf: [text, { type: 'null' }] },
        metadata: { type: 'object', additionalProperties: { type: 'string' } },
        reason: { type: ['string', 'null'], enum: ['duplicate', 'fraudulent', null] },
        shipping: { type: 'string', enum: [''] },
        source: false,
        wallet: { type: 'null' },
        error: { $ref: '#/definitions/api_errors' },
      },
      required: [],
      additionalProperties: false,
    })
    expect(requests['POST /v1/refunds']?.required).toEqual(['amount'])
  })

  it('keeps the fields of a parameter that are sent', () => {
    expect(requests['GET /v1/payment_intents']?.properties['created']).toEqual({
      anyOf: [
        { type: 'object', properties: { city: text }, required: [], additionalProperties: false },
        { type: 'integer' },
      ],
    })
    expect(requests['GET /v1/refunds']?.properties['created']).toEqual({ type: 'integer' })
  })
})
