import { IconLock } from '@tabler/icons-react'
import { lazy, Suspense, useRef, useState, type Ref, type SubmitEvent } from 'react'
import { logFailure } from '../api/client/log-failure.ts'
import type { PaymentConfig, PaymentIntent } from '../api/client/types.ts'
import { formatCents } from '../rules/money.ts'
import { Skeleton } from '../ui/controls/Skeleton.tsx'
import { Alert } from '../ui/feedback/Alert.tsx'
import { BusyButton } from '../ui/inputs/BusyButton.tsx'
import type { CardFields, CardOutcome, SubmittedPayment } from './card-fields.ts'
import { LocalCardFields } from './LocalCardFields.tsx'
import classes from './payments.module.css'

const StripeCardFields = lazy(async () => ({ default: (await import('./StripeCardFields.tsx')).StripeCardFields }))

async function confirm(fields: CardFields | null, clientSecret: string): Promise<CardOutcome> {
  if (fields === null) return { kind: 'failed', message: 'Card element not found' }
  try {
    return await fields.confirm(clientSecret)
  } catch (error) {
    logFailure('Payment processing failed:', error)
    return { kind: 'failed', message: 'Payment processing failed' }
  }
}

interface FieldsProps {
  config: PaymentConfig | undefined
  isInvalid: boolean
  fields: Ref<CardFields>
}

function ProviderFields({ config, isInvalid, fields }: FieldsProps) {
  const loading = <Skeleton height={112} />
  if (config === undefined) return loading
  const { publishable_key: publishableKey, api_base: apiBase } = config
  if (apiBase !== null) {
    return <LocalCardFields apiBase={apiBase} publishableKey={publishableKey} isInvalid={isInvalid} ref={fields} />
  }
  return (
    <Suspense fallback={loading}>
      <StripeCardFields publishableKey={publishableKey} fallback={loading} isInvalid={isInvalid} ref={fields} />
    </Suspense>
  )
}

interface Props {
  config: PaymentConfig | undefined
  intent: PaymentIntent
  onPayingChange: (isPaying: boolean) => void
  onPaid: (payment: SubmittedPayment) => Promise<void>
  onCanceled: () => void
}

export function CardForm({ config, intent, onPayingChange, onPaid, onCanceled }: Props) {
  const fields = useRef<CardFields>(null)
  const [isPaying, setIsPaying] = useState(false)
  const isRunning = useRef(false)
  const [failure, setFailure] = useState<string | null>(null)
  const [alert, setAlert] = useState<string | null>(null)

  function show(message: string | null) {
    setFailure(message)
    setAlert(message && `Payment failed: ${message}`)
  }

  async function pay(event: SubmitEvent<HTMLFormElement>) {
    event.preventDefault()
    if (isRunning.current) return undefined
    isRunning.current = true
    show(null)
    setIsPaying(true)
    onPayingChange(true)
    const outcome = await confirm(fields.current, intent.client_secret)
    if (outcome.kind === 'succeeded' || outcome.kind === 'processing') return onPaid(outcome)
    isRunning.current = false
    setIsPaying(false)
    onPayingChange(false)
    if (outcome.kind === 'canceled') return onCanceled()
    show(outcome.message ?? 'Payment failed')
  }

  return (
    <form noValidate className={classes.form} onSubmit={(event) => void pay(event)}>
      <ProviderFields config={config} isInvalid={failure !== null} fields={fields} />
      {failure !== null && <p className={classes.failure}>{failure}</p>}
      <Alert message={alert} onDismiss={() => setAlert(null)} />
      <BusyButton
        type="submit"
        fullWidth
        size="lg"
        isBusy={isPaying}
        leftSection={<IconLock size={18} aria-hidden="true" />}
      >
        Pay {formatCents(intent.amount)}
      </BusyButton>
    </form>
  )
}
