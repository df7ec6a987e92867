import { describe, expect, it } from 'vitest'
import { parseForm } from '../http/form.ts'
import { openContract } from './contract.ts'

const contract = openContract()
const create = 'POST /v1/payment_intents'

const intent = {
  id: 'pi_1',
  object: 'payment_intent',
  amount: 2549,
  created: 1,
  livemode: false,
  payment_record: null,
  status: 'succeeded',
}
const event = {
  id: 'evt_1',
  object: 'event',
  created: 1,
  data: { object: intent },
  livemode: false,
  pending_webhooks: 1,
  type: 'payment_intent.succeeded',
}

describe('a request', () => {
  it.each([
    [create, 'amount=2549&currency=usd&allowed_payment_method_types[0]=card&metadata[sale]=s1&transfer_group=s1'],
    ['GET /v1/payment_intents', 'created[gte]=1700000000&limit=100'],
    ['POST /v1/refunds', 'payment_intent=pi_1'],
  ])('%s %s is as published', (call, form) => {
    expect(contract.checkRequest(call, parseForm(form))).toEqual([])
  })

  it.each([
    [
      create,
      'amount=2549&currency=usd&payment_method_types[0]=card',
      'must NOT have additional properties (payment_method_types)',
    ],
    [create, 'amount=2549', "must have required property 'currency' (currency)"],
    [create, 'amount=many&currency=usd', 'amount must be integer (integer)'],
    [
      create,
      'amount=2549&currency=usd&allowed_payment_method_types=card',
      'allowed_payment_method_types must be array (array)',
    ],
    [
      create,
      'amount=2549&currency=usd&allowed_payment_method_types[0]=cash',
      'allowed_payment_method_types.0 must be equal to one of',
    ],
    [create, 'amount=2549&currency=usd&shipping[name]=Ann', 'shipping boolean schema is false'],
    ['GET /v1/payment_intents', 'created[since]=1', 'created must NOT have additional properties (since)'],
    ['POST /v1/refunds', 'intent=pi_1', 'must NOT have additional properties (intent)'],
    ['POST /v1/customers', '', 'boolean schema is false'],
  ])('%s %s has the violation: %s', (call, form, sentence) => {
    expect(contract.checkRequest(call, parseForm(form)).join('\n')).toContain(sentence)
  })
})

describe('a response', () => {
  it('is as published', () => {
    expect(contract.checkResponse(create, { status: 200, body: intent })).toEqual([])
    const error = { type: 'card_error', message: 'No.', payment_intent: intent }
    expect(contract.checkResponse(create, { status: 402, body: { error } })).toEqual([])
  })

  it.each([
    [200, { ...intent, status: 'paid' }, 'status must be equal to one of the allowed values'],
    [200, { ...intent, colour: 'red' }, 'must NOT have additional properties (colour)'],
    [200, { ...intent, amount: '2549' }, 'amount must be integer'],
    [200, { ...intent, id: undefined }, "must have required property 'id'"],
    [200, { ...intent, shipping: { name: 'Ann' } }, 'shipping must be null'],
    [400, { error: { type: 'refused' } }, 'error.type must be equal to one of the allowed values'],
    [400, { message: 'No.' }, "must have required property 'error'"],
  ])('%i %o has the violation: %s', (status, body, sentence) => {
    expect(contract.checkResponse(create, { status, body }).join('\n')).toContain(sentence)
  })
})

describe('a webhook', () => {
  it('is as published', () => {
    expect(contract.checkEvent(event)).toEqual([])
  })

  it.each([
    [{ ...event, pending_webhooks: undefined }, "must have required property 'pending_webhooks'"],
    [{ ...event, data: { object: { ...intent, status: 'paid' } } }, 'data.object.status must be equal to one of'],
    [{ ...event, data: {} }, "data must have required property 'object'"],
  ])('%o has the violation: %s', (body, sentence) => {
    expect(contract.checkEvent(body).join('\n')).toContain(sentence)
  })
})
