import { useQueryClient } from '@tanstack/react-query'
import { useRef, useState, type SubmitEvent } from 'react'
import { errorText, isConflict, isSignedOut } from '../api/client/http.ts'
import { offersKey, type OfferTerms } from '../api/queries/offers.ts'
import type { Offer } from '../api/client/types.ts'
import { useSingleMutation } from '../api/client/use-single-mutation.ts'
import { formatCents, parseDollars, toDollars } from '../rules/money.ts'
import { useDraft } from '../session/use-draft.ts'
import { useOpenSignIn } from '../session/use-open-sign-in.ts'
import { Textarea } from '../ui/controls/Textarea.tsx'
import { Alert } from '../ui/feedback/Alert.tsx'
import { afterPress } from '../ui/inputs/after-press.ts'
import { BusyButton } from '../ui/inputs/BusyButton.tsx'
import { characterLimit } from '../ui/inputs/character-limit.ts'
import { MoneyInput } from '../ui/inputs/MoneyInput.tsx'
import classes from './offers.module.css'

const maxMessageLength = 1000

interface Sending {
  send: (terms: OfferTerms) => Promise<Offer>
  onSent: (offer: Offer) => void
  /** Called with the message of a 409 response. The parent must show the message, because the form might disappear. */
  onOutdated?: (message: string) => void
}

const failure = 'Failed to submit offer'

function useSendOffer({ send, onSent, onOutdated }: Sending) {
  const openSignIn = useOpenSignIn()
  const queryClient = useQueryClient()
  return useSingleMutation({
    mutationFn: send,
    onSuccess: onSent,
    onError: (error) => {
      if (isSignedOut(error)) openSignIn()
      if (isConflict(error)) onOutdated?.(errorText(error, failure))
    },
    onSettled: () => queryClient.invalidateQueries({ queryKey: offersKey }),
    meta: { failure: `${failure}:` },
  })
}

type Props = Sending & {
  verb: 'Send Offer' | 'Send Counter'
  /** Name under which the typed text is stored as a draft. */
  draft: string
}

/** Form for the amount and message of an offer or counteroffer. */
export function OfferForm({ verb, draft, send, onSent, onOutdated }: Props) {
  const [typed, setTyped] = useDraft(`${draft}:amount`)
  const [message, setMessage] = useDraft(`${draft}:message`)
  const [isValidated, setIsValidated] = useState(false)
  const amount = useRef<HTMLInputElement>(null)
  const messageField = useRef<HTMLTextAreaElement>(null)
  const limit = characterLimit({ name: 'Message', text: message, max: maxMessageLength })
  const clearDraft = (sent: Offer) => {
    setTyped('')
    setMessage('')
    onSent(sent)
  }
  const offer = useSendOffer({ send, onSent: clearDraft, onOutdated })
  const cents = parseDollars(typed) || null

  function submit(event: SubmitEvent<HTMLFormElement>) {
    event.preventDefault()
    if (offer.isPending) return
    setIsValidated(true)
    if (cents === null) {
      amount.current?.focus()
      return
    }
    if (limit.error) {
      messageField.current?.focus()
      return
    }
    offer.mutate({ amount: toDollars(cents), message: message.trim() || undefined })
  }

  return (
    <form noValidate className={classes.form} onSubmit={submit}>
      <MoneyInput
        ref={amount}
        label="Your offer"
        required
        data-autofocus
        value={typed}
        error={isValidated && cents === null && 'Enter an amount greater than $0.00.'}
        onBlur={() => afterPress(() => setIsValidated(true))}
        onChange={(event) => setTyped(event.currentTarget.value)}
      />
      <Textarea
        {...limit}
        ref={messageField}
        label="Message (optional)"
        rows={3}
        value={message}
        onChange={(event) => setMessage(event.currentTarget.value)}
      />
      <Alert message={offer.error && errorText(offer.error, failure)} onDismiss={() => offer.reset()} />
      <BusyButton type="submit" size="lg" fullWidth isBusy={offer.isPending}>
        {cents === null ? verb : `${verb} of ${formatCents(cents)}`}
      </BusyButton>
    </form>
  )
}
