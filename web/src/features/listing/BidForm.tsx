import { useQueryClient } from '@tanstack/react-query'
import { useRef, useState, type SubmitEvent } from 'react'
import { answer, api } from '../../api/client.ts'
import { errorText } from '../../api/http.ts'
import { sendOnce } from '../../api/send-once.ts'
import { listingQuery, ownBidQuery } from '../../api/queries.ts'
import type { ListingDetail } from '../../api/types.ts'
import { useSingleMutation } from '../../api/use-single-mutation.ts'
import { standingBid } from '../../rules/listing.ts'
import { formatCents, parseDollars, toDollars } from '../../rules/money.ts'
import { useDraft } from '../../session/use-draft.ts'
import { Alert } from '../../ui/Alert.tsx'
import { beside } from '../../ui/beside.tsx'
import { BusyButton } from '../../ui/BusyButton.tsx'
import { MoneyInput } from '../../ui/MoneyInput.tsx'
import { BidStanding } from './BidStanding.tsx'
import classes from './BuyerActions.module.css'

const suggestedStep = 100

function problemWith(cents: number | null, lowest: number): string | null {
  if (cents === null) return 'Enter an amount in dollars, such as 12.50.'
  return cents < lowest ? `Enter ${formatCents(lowest)} or more.` : null
}

function usePlaceBid(listing: ListingDetail) {
  const queryClient = useQueryClient()
  return useSingleMutation({
    mutationFn: (cents: number) =>
      sendOnce('/api/bids', { listing_id: listing.id, amount: toDollars(cents) }, (body, headers) =>
        answer(api.POST('/api/bids', { body, headers })),
      ),
    onSuccess: (placed) => {
      queryClient.setQueryData(ownBidQuery(listing.id).queryKey, (best) => Math.max(best ?? 0, placed.amount))
      queryClient.setQueryData(listingQuery(listing.id).queryKey, (known) => {
        if (known === undefined || placed.bid_count < known.bid_count) return known
        return { ...known, current_bid: placed.current_bid, bid_count: placed.bid_count }
      })
    },
    // Refused too: someone else's bid is the likely reason.
    onSettled: () => queryClient.invalidateQueries({ queryKey: listingQuery(listing.id).queryKey }),
    meta: { failure: 'Failed to place bid:' },
  })
}

export function BidForm({ listing }: { listing: ListingDetail }) {
  const [typed, setTyped] = useDraft(`bid:${listing.id}`)
  const [problem, setProblem] = useState<string | null>(null)
  const field = useRef<HTMLInputElement>(null)
  const bid = usePlaceBid(listing)
  const lowest = standingBid(listing) + 1
  const suggested = standingBid(listing) + suggestedStep
  const cents = parseDollars(typed)

  function placeBid(event: SubmitEvent<HTMLFormElement>) {
    event.preventDefault()
    const found = problemWith(cents, lowest)
    setProblem(found)
    if (found !== null) field.current?.focus()
    else if (cents !== null && !bid.isPending) bid.mutate(cents, { onSuccess: () => setTyped('') })
  }

  return (
    <form noValidate className={classes.bid} onSubmit={placeBid}>
      <Alert message={bid.error && errorText(bid.error, 'Failed to place bid')} onDismiss={() => bid.reset()} />
      <BidStanding listing={listing} placing={bid.isPending ? bid.variables : null} />
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
        inputContainer={beside(
          <BusyButton type="submit" isBusy={bid.isPending}>
            Place Bid
          </BusyButton>,
        )}
      />
    </form>
  )
}
