import { IconBuildingBank } from '@tabler/icons-react'
import { useEffect, useImperativeHandle, useRef, useState } from 'react'
import { Button } from '../ui/controls/Button.tsx'
import type { CardFieldsProps, CardOutcome } from './card-fields.ts'
import { CardInputs } from './CardInputs.tsx'
import { authenticateCard, confirmCard, findMissing, type Card } from './local-network.ts'
import classes from './payments.module.css'

type Props = CardFieldsProps & { apiBase: string }
type Confirm = (isGranted: boolean) => void

function BankConfirmation({ onDecided }: { onDecided: Confirm }) {
  const confirm = useRef<HTMLButtonElement>(null)
  useEffect(() => {
    confirm.current?.focus()
    const form = confirm.current?.form
    return () => form?.querySelector<HTMLElement>('[type="submit"]')?.focus()
  }, [])
  return (
    <section className={classes.confirmation} aria-labelledby="bank-confirmation">
      <p id="bank-confirmation">
        <IconBuildingBank size={20} aria-hidden="true" /> Your bank needs you to confirm this payment.
      </p>
      <div className={classes.choices}>
        <Button ref={confirm} onClick={() => onDecided(true)}>
          Confirm payment
        </Button>
        <Button variant="default" onClick={() => onDecided(false)}>
          Decline
        </Button>
      </div>
    </section>
  )
}

/**
 * Card form for the local card network, which replaces Stripe in development. It has the same interface as Stripe's
 * form.
 */
export function LocalCardFields({ apiBase, publishableKey, isInvalid, ref }: Props) {
  const card = useRef<Card>({ number: '', expiry: '', cvc: '' })
  const [invalidField, setInvalidField] = useState<keyof Card | null>(null)
  const [confirmation, setConfirmation] = useState<{ decide: Confirm } | null>(null)

  useImperativeHandle(ref, () => {
    const network = { apiBase, publishableKey }
    return {
      async confirm(clientSecret): Promise<CardOutcome> {
        const missing = findMissing(card.current)
        setInvalidField(missing?.field ?? null)
        if (missing !== null) return { kind: 'failed', message: missing.message }
        const outcome = await confirmCard(network, clientSecret, card.current)
        if (outcome.kind !== 'requires_confirmation') return outcome
        const isGranted = await new Promise<boolean>((decide) => setConfirmation({ decide }))
        setConfirmation(null)
        const authenticated = await authenticateCard(network, clientSecret, isGranted)
        return authenticated.kind === 'requires_confirmation' ? { kind: 'failed', message: null } : authenticated
      },
    }
  }, [apiBase, publishableKey])

  return (
    <>
      <CardInputs
        isInvalid={isInvalid}
        invalidField={invalidField}
        isDisabled={confirmation !== null}
        onChange={(changed) => (card.current = changed)}
      />
      {confirmation !== null && <BankConfirmation onDecided={confirmation.decide} />}
    </>
  )
}
