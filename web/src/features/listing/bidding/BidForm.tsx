import { lazy, Suspense, useRef, useState, type SubmitEvent } from 'react'
import type { ListingDetail } from '../../../api/client/types.ts'
import { bidFloor } from '../../../rules/listing.ts'
import { formatCents, parseDollars, toDollars } from '../../../rules/money.ts'
import { useDraft } from '../../../session/use-draft.ts'
import { Alert } from '../../../ui/feedback/Alert.tsx'
import { withTrailingButton } from '../../../ui/inputs/with-trailing-button.tsx'
import { BusyButton } from '../../../ui/inputs/BusyButton.tsx'
import { MoneyInput } from '../../../ui/inputs/MoneyInput.tsx'
import { bidRefusalText, farJumpOf } from './bid-refusal.ts'
import { BidStatusMessage } from './BidStatusMessage.tsx'
import { BidTotal } from './BidTotal.tsx'
import { usePlaceBid } from './use-place-bid.ts'
import classes from '../purchase/BuyerActions.module.css'

const ConfirmBid = lazy(async () => ({ default: (await import('./ConfirmBid.tsx')).ConfirmBid }))

const suggestedStep = 100

function validateBid(cents: number | null, lowest: number): string | null {
  if (cents === null) return 'Enter an amount in dollars, such as 12.50.'
  return cents < lowest ? `Enter ${formatCents(lowest)} or more.` : null
}

export function BidForm({ listing }: { listing: ListingDetail }) {
  const [typed, setTyped] = useDraft(`bid:${listing.id}`)
  const [problem, setProblem] = useState<string | null>(null)
  const field = useRef<HTMLInputElement>(null)
  const bid = usePlaceBid(listing)
  const jump = farJumpOf(bid.error)
  const lowest = bidFloor(listing) + 1
  const suggested = bidFloor(listing) + suggestedStep
  const cents = parseDollars(typed)

  function send(amount: number, confirm: boolean) {
    bid.mutate({ cents: amount, confirm }, { onSuccess: () => setTyped('') })
  }

  function placeBid(event: SubmitEvent<HTMLFormElement>) {
    event.preventDefault()
    const found = validateBid(cents, lowest)
    setProblem(found)
    if (found !== null) field.current?.focus()
    else if (cents !== null && !bid.isPending) send(cents, false)
  }

  return (
    <form noValidate className={classes.bid} onSubmit={placeBid}>
      <Alert message={bid.error && jump === null ? bidRefusalText(bid.error) : null} onDismiss={() => bid.reset()} />
      <BidStatusMessage listing={listing} placing={bid.isPending ? bid.variables.cents : null} />
      <MoneyInput
        ref={field}
        aria-label="Bid amount"
        description={`Minimum bid: ${formatCents(suggested)}`}
        required
        min={toDollars(lowest).toFixed(2)}
        placeholder={toDollars(suggested).toFixed(2)}
        value={typed}
        error={problem}
        onChange={(event) => setTyped(event.currentTarget.value)}
        inputContainer={withTrailingButton(
          <BusyButton type="submit" isBusy={bid.isPending}>
            Place Bid
          </BusyButton>,
        )}
      />
      <BidTotal listing={listing} cents={cents} />
      <Suspense>
        {jump !== null && (
          <ConfirmBid
            jump={jump}
            startingBid={bidFloor(listing)}
            onConfirm={() => send(jump.amount, true)}
            onChange={() => bid.reset()}
          />
        )}
      </Suspense>
    </form>
  )
}
