import type { FastifyInstance, FastifyRequest } from 'fastify'
import { parseForm, type Form } from '../http/form.ts'
import type { Contract } from './contract.ts'

const confirmation = 'POST /v1/payment_intents/{id}/confirm'
// Stripe has no such call, so only its response can be checked.
const ownCall = 'POST /v1/payment_intents/{id}/authenticate'

/** Checks each call of the local card network against Stripe's published API, and reports the violations. */
export function observeCalls(app: FastifyInstance, contract: Contract, report: (violation: string) => void): void {
  app.addHook('onSend', async (request, reply, payload) => {
    const { url } = request.routeOptions
    if (url?.startsWith('/v1/') !== true || typeof payload !== 'string') return payload
    const call = `${request.method} ${url.replace(':id', '{id}')}`
    const response = { status: reply.statusCode, body: JSON.parse(payload) }
    const violations = [
      ...(call === ownCall ? [] : checkParameters(contract, call, formOf(request))),
      ...contract.checkResponse(call === ownCall ? confirmation : call, response),
    ]
    for (const violation of violations) report(violation)
    return payload
  })
}

function formOf({ body, url }: FastifyRequest): Form {
  const form = parseForm(typeof body === 'string' ? body : (url.split('?')[1] ?? ''))
  return new Map([...form].filter(([name]) => name !== 'key'))
}

function checkParameters(contract: Contract, call: string, form: Form): string[] {
  const card = /^payment_method_data\[(\w+)\]/
  const [ofCard, others] = [true, false].map((isOfCard) => [...form].filter(([name]) => card.test(name) === isOfCard))
  const paymentMethod = (ofCard ?? []).map(([name, value]) => [name.replace(card, '$1'), value] as const)
  return [
    ...contract.checkRequest(call, new Map(others)),
    ...(paymentMethod.length > 0 ? contract.checkRequest('POST /v1/payment_methods', new Map(paymentMethod)) : []),
  ]
}
