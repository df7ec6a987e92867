import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv'
import type { Form } from '../http/form.ts'
import { readExtract } from './extract-file.ts'
import type { JsonSchema } from './extract.ts'
import { toParameters } from './parameters.ts'
import { toPinnedApi } from './pinned-api.ts'

/** Checks calls against Stripe's published API in the SDK's version. Each check returns the violations. */
export interface Contract {
  /** `call` is a method and a path, such as `GET /v1/refunds/{id}`. */
  checkRequest(call: string, form: Form): string[]
  checkResponse(call: string, response: { status: number; body: unknown }): string[]
  /** Checks the body of a webhook about an intent, a charge, a refund or a dispute. */
  checkEvent(body: unknown): string[]
}

// The document does not specify the object of an event. The first part of the type names it.
const eventObjects: Readonly<Record<string, string>> = {
  payment_intent: 'payment_intent',
  charge: 'charge',
  'charge.dispute': 'dispute',
  refund: 'refund',
}

function eventOf(object: string): JsonSchema {
  return {
    $ref: '#/definitions/event',
    type: 'object',
    properties: { data: { type: 'object', properties: { object: { $ref: `#/definitions/${object}` } } } },
  }
}

export function openContract(): Contract {
  const { requests, responses, definitions } = toPinnedApi(readExtract())
  const events = Object.values(eventObjects).map((object) => [`event of ${object}`, eventOf(object)] as const)
  const bodies: Record<string, JsonSchema> = {
    ...responses,
    error: { $ref: '#/definitions/error' },
    ...Object.fromEntries(events),
  }
  // Form values are strings; the schema determines which are numbers or booleans.
  const formAjv = new Ajv({ allErrors: true, allowUnionTypes: true, coerceTypes: true })
  const bodyAjv = new Ajv({ allErrors: true, allowUnionTypes: true })
  const compileForm = memoize((call) => formAjv.compile(requests[call] ?? false))
  const compileBody = memoize((name) => bodyAjv.compile({ definitions, allOf: [bodies[name] ?? false] }))
  return {
    checkRequest: (call, form) => check(compileForm(call), toParameters(form), `${call}: request`),
    checkResponse(call, { status, body }) {
      return check(compileBody(status < 400 ? call : 'error'), body, `${call}: response ${status}`)
    },
    checkEvent: (body) => check(compileBody(`event of ${eventObjects[topicOf(body)] ?? 'nothing'}`), body, 'event'),
  }
}

// `charge.dispute` of the type `charge.dispute.created`.
function topicOf(body: unknown): string {
  const hasType = typeof body === 'object' && body !== null && 'type' in body
  return hasType ? String(body.type).split('.').slice(0, -1).join('.') : ''
}

function memoize(compile: (name: string) => ValidateFunction): (name: string) => ValidateFunction {
  const compiled = new Map<string, ValidateFunction>()
  return (name) => {
    const validate = compiled.get(name) ?? compile(name)
    compiled.set(name, validate)
    return validate
  }
}

function check(validate: ValidateFunction, value: unknown, where: string): string[] {
  if (validate(value)) return []
  return (validate.errors ?? []).map((error) => `${where}: ${toSentence(error)}`)
}

function toSentence({ instancePath, message = '', params }: ErrorObject): string {
  const place = instancePath.slice(1).replaceAll('/', '.') || 'body'
  const named = Object.values(params).filter((value) => typeof value === 'string')
  return `${place} ${message} (${named.join(', ')})`
}
