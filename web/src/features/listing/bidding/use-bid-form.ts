import { useRef, useState, type SubmitEvent } from 'react'
import type { ListingDetail } from '../../../api/client/types.ts'
import { bidFloor } from '../../../rules/listing.ts'
import { formatCents, parseDollars } from '../../../rules/money.ts'
import { useDraft } from '../../../session/use-draft.ts'
import { afterPress } from '../../../ui/inputs/after-press.ts'
import { farJumpOf } from './bid-refusal.ts'
import { useConfirmBids } from './confirm/use-confirm-bids.ts'
import type { PlaceBid } from './use-place-bid.ts'

function validateBid(cents: number | null, listing: ListingDetail): string | null {
  if (cents === null) return 'Enter an amount in dollars, such as 12.50.'
  const floor = bidFloor(listing)
  const name = listing.current_bid === null ? 'starting' : 'current'
  return cents > floor ? null : `Enter more than the ${name} bid of ${formatCents(floor)}.`
}

/**
 * State of the field for the bid's amount. The amount is validated when the field loses the focus or the form is
 * submitted, and from then on at every change.
 */
function useAmount(listing: ListingDetail) {
  const [typed, setTyped] = useDraft(`bid:${listing.id}`)
  const [isValidated, setIsValidated] = useState(false)
  const cents = parseDollars(typed)
  const problem = validateBid(cents, listing)
  return {
    typed,
    setTyped,
    /** The amount in cents, or null if it is invalid. */
    cents: problem === null ? cents : null,
    problem: isValidated ? problem : null,
    leave() {
      if (typed !== '') afterPress(() => setIsValidated(true))
    },
    /** Returns the amount in cents, or null if it is invalid. */
    validate() {
      setIsValidated(true)
      return problem === null ? cents : null
    },
    clear() {
      setTyped('')
      setIsValidated(false)
    },
  }
}

export function useBidForm(listing: ListingDetail, bid: PlaceBid) {
  const field = useRef<HTMLInputElement>(null)
  const amount = useAmount(listing)
  const [isAsking] = useConfirmBids()
  const [asked, setAsked] = useState<number | null>(null)

  function send(cents: number, confirm: boolean) {
    setAsked(null)
    bid.mutate({ cents, confirm }, { onSuccess: amount.clear })
  }

  function submit(event: SubmitEvent<HTMLFormElement>) {
    event.preventDefault()
    const cents = amount.validate()
    if (cents === null) field.current?.focus()
    else if (isAsking && !bid.isPending) setAsked(cents)
    else if (!bid.isPending) send(cents, false)
  }

  function cancel() {
    setAsked(null)
    bid.reset()
  }

  return { field, amount, jump: farJumpOf(bid.error), asked, send, submit, cancel }
}
