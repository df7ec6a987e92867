import { Button } from '@mantine/core'
import { IconBuildingBank } from '@tabler/icons-react'
import { useEffect, useImperativeHandle, useRef, useState } from 'react'
import type { CardFieldsProps, CardOutcome } from './card-fields.ts'
import { CardInputs } from './CardInputs.tsx'
import { authenticateCard, confirmCard, missingOf, type Card } from './local-network.ts'
import classes from './payments.module.css'

type Props = CardFieldsProps & { apiBase: string }
type Answer = (isGranted: boolean) => void

function BankQuestion({ onAnswer }: { onAnswer: Answer }) {
  const confirm = useRef<HTMLButtonElement>(null)
  useEffect(() => {
    confirm.current?.focus()
    const form = confirm.current?.form
    return () => form?.querySelector<HTMLElement>('[type="submit"]')?.focus()
  }, [])
  return (
    <section className={classes.question} aria-labelledby="bank-question">
      <p id="bank-question">
        <IconBuildingBank size={20} aria-hidden="true" /> Your bank asks you to confirm this payment.
      </p>
      <div className={classes.answers}>
        <Button ref={confirm} onClick={() => onAnswer(true)}>
          Confirm payment
        </Button>
        <Button variant="default" onClick={() => onAnswer(false)}>
          Refuse
        </Button>
      </div>
    </section>
  )
}

/** The card form of the local card network; production has Stripe's behind the same interface. */
export function LocalCardFields({ apiBase, publishableKey, isInvalid, ref }: Props) {
  const card = useRef<Card>({ number: '', expiry: '', cvc: '' })
  const [wrong, setWrong] = useState<keyof Card | null>(null)
  const [bankQuestion, setBankQuestion] = useState<{ answer: Answer } | null>(null)

  useImperativeHandle(ref, () => {
    const network = { apiBase, publishableKey }
    return {
      async confirm(clientSecret): Promise<CardOutcome> {
        const missing = missingOf(card.current)
        setWrong(missing?.field ?? null)
        if (missing !== null) return { kind: 'failed', message: missing.message }
        const outcome = await confirmCard(network, clientSecret, card.current)
        if (outcome.kind !== 'asks') return outcome
        const isGranted = await new Promise<boolean>((answer) => setBankQuestion({ answer }))
        setBankQuestion(null)
        const answered = await authenticateCard(network, clientSecret, isGranted)
        return answered.kind === 'asks' ? { kind: 'failed', message: null } : answered
      },
    }
  }, [apiBase, publishableKey])

  return (
    <>
      <CardInputs
        isInvalid={isInvalid}
        wrong={wrong}
        isDisabled={bankQuestion !== null}
        onChange={(changed) => (card.current = changed)}
      />
      {bankQuestion !== null && <BankQuestion onAnswer={bankQuestion.answer} />}
    </>
  )
}
