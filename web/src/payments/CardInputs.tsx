import { IconCreditCard } from '@tabler/icons-react'
import { useEffect, useRef, useState } from 'react'
import { TextInput } from '../ui/controls/TextInput.tsx'
import type { Card } from './local-network.ts'
import classes from './payments.module.css'

function digits(text: string, max: number): string {
  return text.replaceAll(/\D/g, '').slice(0, max)
}

function groupNumber(text: string): string {
  return digits(text, 19).replaceAll(/(\d{4})(?=\d)/g, '$1 ')
}

/**
 * Formats an expiry date while the user types: `1234` becomes `12 / 34`, and `5` becomes `05`. `before` is the previous
 * text, which is longer than `text` if the user is deleting.
 */
function formatExpiry(text: string, before: string): string {
  const typed = digits(text, 4)
  const month = typed.length === 1 && Number(typed) > 1 ? `0${typed}` : typed.slice(0, 2)
  const isDeleting = text.length < before.length
  if (month.length < 2 || (isDeleting && typed.length <= 2)) return isDeleting ? typed : month
  return `${month} / ${typed.slice(2)}`
}

interface Props {
  isInvalid: boolean
  /** The field that caused the error; null if the error concerns all fields. */
  invalidField: keyof Card | null
  isDisabled: boolean
  onChange: (card: Card) => void
}

export function CardInputs({ isInvalid, invalidField, isDisabled, onChange }: Props) {
  const [card, setCard] = useState<Card>({ number: '', expiry: '', cvc: '' })
  function change(part: Partial<Card>) {
    const changed = { ...card, ...part }
    setCard(changed)
    onChange(changed)
  }
  const fields = useRef<HTMLDivElement>(null)
  // The dialog cannot focus the first field, because the fields mount after the dialog has opened.
  useEffect(() => fields.current?.querySelector('input')?.focus(), [])
  useEffect(() => {
    if (isInvalid && invalidField !== null)
      fields.current?.querySelector<HTMLElement>(`[name="${invalidField}"]`)?.focus()
  }, [isInvalid, invalidField])
  const shared = (name: keyof Card) =>
    ({ name, inputMode: 'numeric', error: isInvalid && (invalidField ?? name) === name, disabled: isDisabled }) as const
  return (
    <div ref={fields} className={classes.card}>
      <TextInput
        {...shared('number')}
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
        {...shared('expiry')}
        label="Expiry date"
        autoComplete="cc-exp"
        placeholder="MM / YY"
        value={card.expiry}
        onChange={(event) => change({ expiry: formatExpiry(event.currentTarget.value, card.expiry) })}
      />
      <TextInput
        {...shared('cvc')}
        label="CVC"
        autoComplete="cc-csc"
        placeholder="CVC"
        value={card.cvc}
        onChange={(event) => change({ cvc: digits(event.currentTarget.value, 4) })}
      />
    </div>
  )
}
