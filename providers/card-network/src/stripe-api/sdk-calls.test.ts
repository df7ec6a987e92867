import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { findUncheckedRequests } from './sdk-calls.ts'
import { openTypesOf, type Types } from './types.ts'

const head = `
import { Stripe } from 'stripe'
const stripe = new Stripe('sk_test_x')
const { paymentIntents } = stripe
const other = { payment_method_types: ['card'] }
const checked = { currency: 'usd', amount: 1 } satisfies Stripe.PaymentIntentCreateParams
const range = { gte: 1 } satisfies Stripe.RangeQueryParam
declare const loose: any
declare const passed: Stripe.PaymentIntentCreateParams
`

const rightCalls = [
  "paymentIntents.retrieve('pi_1')",
  'paymentIntents.create(checked)',
  'paymentIntents.create({ amount: 1, currency: "usd", metadata: { sale: "s1" } } satisfies Stripe.PaymentIntentCreateParams)',
  'paymentIntents.create(checked, { idempotencyKey: "k" } satisfies Stripe.RequestOptions)',
  'paymentIntents.list({ created: range } satisfies Stripe.PaymentIntentListParams)',
  '[1].map((limit) => stripe.refunds.list({ limit } satisfies Stripe.RefundListParams))',
  'new Map().set("create", { payment_method_types: [] })',
]

const wrongCalls = [
  ['paymentIntents.create({ amount: 1, currency: "usd" })', '{ amount: 1, currency: "usd" } does not satisfy a type'],
  ['paymentIntents.create(passed)', 'passed does not satisfy a type where it is written.'],
  ['paymentIntents.create(loose)', 'loose does not satisfy a type where it is written.'],
  ['paymentIntents.create(checked, { idempotencyKey: "k" })', '{ idempotencyKey: "k" } does not satisfy a type'],
  [
    'paymentIntents.create({ ...other, amount: 1, currency: "usd" } satisfies Stripe.PaymentIntentCreateParams)',
    '...other is no plain property.',
  ],
  [
    'paymentIntents.create({ amount: 1, currency: "usd", [String("a")]: 1 } satisfies Stripe.PaymentIntentCreateParams)',
    '[String("a")] is computed.',
  ],
  [
    'paymentIntents.create({ amount: 1, currency: "usd" } satisfies object)',
    'object is not the type of this parameter.',
  ],
  [
    'paymentIntents.list({ created: loose } satisfies Stripe.PaymentIntentListParams)',
    'loose is an object from elsewhere.',
  ],
  ["stripe.rawRequest('POST', '/v1/payment_intents', other)", 'takes what no type describes.'],
] as const

const calls = [...rightCalls, ...wrongCalls.map(([call]) => call)]
let types: Types
let problems: string[]

beforeAll(() => {
  types = openTypesOf(`${head}${calls.map((call, index) => `export const call${index} = ${call}`).join('\n')}`)
  problems = findUncheckedRequests(types.project)
})
afterAll(() => types.close())

function problemsOf(call: string): string[] {
  const line = head.split('\n').length + calls.indexOf(call)
  return problems.filter((problem) => problem.includes(`file.ts:${line} `))
}

describe('a call of the SDK', () => {
  it.each(rightCalls)('is accepted when its parameters are checked: %s', (call) => {
    expect(problemsOf(call)).toEqual([])
  })

  it.each(wrongCalls)('is found when a parameter escapes the compiler: %s', (call, problem) => {
    expect(problemsOf(call)).toEqual([expect.stringContaining(problem)])
  })
})
