import { TextInput } from '@mantine/core'
import { IconCreditCard } from '@tabler/icons-react'
import { useState } from 'react'
import type { Card } from './local-network.ts'
import classes from './payments.module.css'

function digits(text: string, most: number): string {
  return text.replaceAll(/\D/g, '').slice(0, most)
}

function groupNumber(text: string): string {
  return digits(text, 19).replaceAll(/(\d{4})(?=\d)/g, '$1 ')
}

/** `1234` is 12 / 34 and `5` can only be the month 05; deleting the slash deletes the digit before it. */
function formatExpiry(text: string, before: string): string {
  const typed = digits(text, 4)
  const month = typed.length === 1 && Number(typed) > 1 ? `0${typed}` : typed.slice(0, 2)
  const isDeleting = text.length < before.length
  if (month.length < 2 || (isDeleting && typed.length <= 2)) return isDeleting ? typed : month
  return `${month} / ${typed.slice(2)}`
}

type Props = { isInvalid: boolean; isDisabled: boolean; onChange: (card: Card) => void }

export function CardInputs({ isInvalid, isDisabled, onChange }: Props) {
  const [card, setCard] = useState<Card>({ number: '', expiry: '', cvc: '' })
  function change(part: Partial<Card>) {
    const changed = { ...card, ...part }
    setCard(changed)
    onChange(changed)
  }
  const shared = { inputMode: 'numeric', error: isInvalid, disabled: isDisabled } as const
  return (
    <div className={classes.card}>
      <TextInput
        {...shared}
        className={classes.number}
        label="Card number"
        autoComplete="cc-number"
        placeholder="1234 1234 1234 1234"
        data-autofocus
        leftSection={<IconCreditCard size={20} aria-hidden="true" />}
        value={card.number}
        onChange={(event) => change({ number: groupNumber(event.currentTarget.value) })}
      />
      <TextInput
        {...shared}
        label="Expiry date"
        autoComplete="cc-exp"
        placeholder="MM / YY"
        value={card.expiry}
        onChange={(event) => change({ expiry: formatExpiry(event.currentTarget.value, card.expiry) })}
      />
      <TextInput
        {...shared}
        label="CVC"
        autoComplete="cc-csc"
        placeholder="CVC"
        value={card.cvc}
        onChange={(event) => change({ cvc: digits(event.currentTarget.value, 4) })}
      />
    </div>
  )
}
