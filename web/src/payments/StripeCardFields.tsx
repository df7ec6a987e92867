import { CardElement, Elements, useElements, useStripe } from '@stripe/react-stripe-js'
import type { Stripe } from '@stripe/stripe-js'
import { loadStripe } from '@stripe/stripe-js/pure'
import { Suspense, use, useImperativeHandle, useState, type ReactNode } from 'react'
import { outcomeOfError, toSubmittedPayment, type CardFieldsProps, type CardOutcome } from './card-fields.ts'
import classes from './payments.module.css'

const loaded = new Map<string, Promise<Stripe | null>>()

/**
 * Loads Stripe's script once per publishable key. A failed load is not cached, so that opening the dialog again retries it.
 */
function loadOnce(publishableKey: string): Promise<Stripe | null> {
  const loading = loaded.get(publishableKey) ?? loadStripe(publishableKey)
  loaded.set(publishableKey, loading)
  loading.catch(() => loaded.delete(publishableKey))
  return loading
}

/**
 * Returns the page's text color and font for Stripe's form. Stripe renders the form in an iframe, to which this page's
 * style sheets do not apply.
 */
function fieldStyle() {
  const tokens = getComputedStyle(document.body)
  return { base: { color: tokens.color, fontSize: '16px', fontFamily: tokens.fontFamily, iconColor: tokens.color } }
}

type FieldsProps = Pick<CardFieldsProps, 'isInvalid' | 'ref'>

function Fields({ isInvalid, ref }: FieldsProps) {
  const stripe = useStripe()
  const elements = useElements()
  useImperativeHandle(
    ref,
    () => ({
      async confirm(clientSecret): Promise<CardOutcome> {
        const card = elements?.getElement(CardElement)
        if (!stripe || !card) return { kind: 'failed', message: 'Card element not found' }
        const { error, paymentIntent } = await stripe.confirmCardPayment(clientSecret, { payment_method: { card } })
        return (paymentIntent && toSubmittedPayment(paymentIntent)) ?? outcomeOfError(error)
      },
    }),
    [stripe, elements],
  )
  return (
    <div className={classes.stripe} data-invalid={isInvalid || undefined}>
      <CardElement options={{ style: fieldStyle() }} />
    </div>
  )
}

/** Suspends until Stripe's script has loaded and throws if it fails to load. */
function LoadedFields({ loading, isInvalid, ref }: FieldsProps & { loading: Promise<Stripe | null> }) {
  return (
    <Elements stripe={use(loading)}>
      <Fields isInvalid={isInvalid} ref={ref} />
    </Elements>
  )
}

/** Stripe's card form. Shows `fallback` until Stripe's script has loaded and throws if it fails to load. */
export function StripeCardFields({ publishableKey, fallback, ...props }: CardFieldsProps & { fallback: ReactNode }) {
  // The promise is created outside the component that suspends, because React discards the state of that component
  // and renders it again: it would start another load after each failed one instead of showing the failure.
  const [loading] = useState(() => loadOnce(publishableKey))
  return (
    <Suspense fallback={fallback}>
      <LoadedFields loading={loading} {...props} />
    </Suspense>
  )
}
