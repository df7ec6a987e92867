// @vitest-environment happy-dom
import { loadStripe } from '@stripe/stripe-js/pure'
import { act, cleanup, render, screen } from '@testing-library/react'
import { setTimeout } from 'node:timers/promises'
import { Suspense } from 'react'
import { afterEach, expect, it, vi } from 'vitest'
import { LoadBoundary } from '../ui/feedback/LoadBoundary.tsx'
import { StripeCardFields } from './StripeCardFields.tsx'

vi.mock('@stripe/stripe-js/pure', () => ({
  loadStripe: vi.fn(async () => {
    await setTimeout()
    throw new Error('Failed to load Stripe.js')
  }),
}))

afterEach(cleanup)

function openForm() {
  return render(
    <LoadBoundary fallback="Failed to load payment system">
      <Suspense fallback="Loading">
        <StripeCardFields publishableKey="pk_test_1" fallback="Loading" isInvalid={false} ref={null} />
      </Suspense>
    </LoadBoundary>,
  )
}

it('PAY-10 a failed load of Stripe’s script is shown, and started again only when the form is reopened', async () => {
  vi.spyOn(console, 'error').mockImplementation(() => {})
  for (const loads of [1, 2]) {
    // A component that suspends requires an asynchronous `act`.
    const form = await act(async () => openForm())
    expect(await screen.findByText('Failed to load payment system')).toBeTruthy()
    expect(vi.mocked(loadStripe)).toHaveBeenCalledTimes(loads)
    form.unmount()
  }
})
