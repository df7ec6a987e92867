// @vitest-environment happy-dom
import { act, cleanup, render, screen } from '@testing-library/react'
import { createRef } from 'react'
import { afterEach, expect, it, vi } from 'vitest'
import type { CardFields } from './card-fields.ts'
import { StripeCardFields } from './StripeCardFields.tsx'

const { confirmCardPayment } = vi.hoisted(() => ({ confirmCardPayment: vi.fn() }))

// The functions that react-stripe-js requires of Stripe's script. The card form is a text.
vi.mock('@stripe/stripe-js/pure', () => {
  const element = {
    mount(node: HTMLElement) {
      node.textContent = 'Card form of Stripe'
    },
    on() {},
    off() {},
    update() {},
    destroy() {},
  }
  const elements = { create: () => element, getElement: () => element, update() {} }
  const stripe = { elements: () => elements, createToken() {}, createPaymentMethod() {}, confirmCardPayment }
  return { loadStripe: async () => stripe }
})

afterEach(cleanup)

const rejection = (status: string) => ({
  error: {
    type: 'invalid_request_error',
    code: 'payment_intent_unexpected_state',
    message: 'You cannot.',
    payment_intent: { id: 'pi_1', status },
  },
})

it.each([
  [{ paymentIntent: { id: 'pi_1', status: 'succeeded' } }, { kind: 'succeeded', paymentIntentId: 'pi_1' }],
  [{ paymentIntent: { id: 'pi_1', status: 'processing' } }, { kind: 'processing', paymentIntentId: 'pi_1' }],
  [rejection('succeeded'), { kind: 'succeeded', paymentIntentId: 'pi_1' }],
  [rejection('processing'), { kind: 'processing', paymentIntentId: 'pi_1' }],
  [rejection('canceled'), { kind: 'canceled' }],
  [rejection('requires_capture'), { kind: 'failed', message: 'You cannot.' }],
  [{ error: { type: 'card_error', message: 'Declined.' } }, { kind: 'failed', message: 'Declined.' }],
])('PAY-16 Stripe’s form converts the response %j to %j', async (response, outcome) => {
  confirmCardPayment.mockResolvedValueOnce(response)
  const fields = createRef<CardFields>()
  // A component that suspends requires an asynchronous `act`.
  await act(async () =>
    render(<StripeCardFields publishableKey="pk_test_1" fallback="Loading" isInvalid={false} ref={fields} />),
  )
  await screen.findByText('Card form of Stripe')
  expect(await fields.current?.confirm('pi_1_secret_x')).toEqual(outcome)
})
