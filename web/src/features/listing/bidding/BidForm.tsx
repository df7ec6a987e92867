import { useQueryClient } from '@tanstack/react-query'
import { useRef, useState, type SubmitEvent } from 'react'
import { responseBody, api } from '../../../api/client/client.ts'
import { errorText } from '../../../api/client/http.ts'
import { withIdempotencyKey } from '../../../api/client/with-idempotency-key.ts'
import { listingQuery, ownBidQuery } from '../../../api/queries/queries.ts'
import type { ListingDetail } from '../../../api/client/types.ts'
import { useSingleMutation } from '../../../api/client/use-single-mutation.ts'
import { bidFloor } from '../../../rules/listing.ts'
import { formatCents, parseDollars, toDollars } from '../../../rules/money.ts'
import { useDraft } from '../../../session/use-draft.ts'
import { Alert } from '../../../ui/feedback/Alert.tsx'
import { withTrailingButton } from '../../../ui/inputs/with-trailing-button.tsx'
import { BusyButton } from '../../../ui/inputs/BusyButton.tsx'
import { MoneyInput } from '../../../ui/inputs/MoneyInput.tsx'
import { BidStatusMessage } from './BidStatusMessage.tsx'
import classes from '../purchase/BuyerActions.module.css'

const suggestedStep = 100

function validateBid(cents: number | null, lowest: number): string | null {
  if (cents === null) return 'Enter an amount in dollars, such as 12.50.'
  return cents < lowest ? `Enter ${formatCents(lowest)} or more.` : null
}

function usePlaceBid(listing: ListingDetail) {
  const queryClient = useQueryClient()
  return useSingleMutation({
    mutationFn: (cents: number) =>
      withIdempotencyKey('/api/bids', { listing_id: listing.id, amount: toDollars(cents) }, (body, headers) =>
        responseBody(api.POST('/api/bids', { body, headers })),
      ),
    onSuccess: (placed) => {
      queryClient.setQueryData(ownBidQuery(listing.id).queryKey, (best) => Math.max(best ?? 0, placed.amount))
      queryClient.setQueryData(listingQuery(listing.id).queryKey, (cached) => {
        if (cached === undefined || placed.bid_count < cached.bid_count) return cached
        return { ...cached, current_bid: placed.current_bid, bid_count: placed.bid_count }
      })
    },
    // Refetched after an error as well, because another user's bid is the likely reason.
    onSettled: () => queryClient.invalidateQueries({ queryKey: listingQuery(listing.id).queryKey }),
    meta: { failure: 'Failed to place bid:' },
  })
}

export function BidForm({ listing }: { listing: ListingDetail }) {
  const [typed, setTyped] = useDraft(`bid:${listing.id}`)
  const [problem, setProblem] = useState<string | null>(null)
  const field = useRef<HTMLInputElement>(null)
  const bid = usePlaceBid(listing)
  const lowest = bidFloor(listing) + 1
  const suggested = bidFloor(listing) + suggestedStep
  const cents = parseDollars(typed)

  function placeBid(event: SubmitEvent<HTMLFormElement>) {
    event.preventDefault()
    const found = validateBid(cents, lowest)
    setProblem(found)
    if (found !== null) field.current?.focus()
    else if (cents !== null && !bid.isPending) bid.mutate(cents, { onSuccess: () => setTyped('') })
  }

  return (
    <form noValidate className={classes.bid} onSubmit={placeBid}>
      <Alert message={bid.error && errorText(bid.error, 'Failed to place bid')} onDismiss={() => bid.reset()} />
      <BidStatusMessage listing={listing} placing={bid.isPending ? bid.variables : null} />
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
    </form>
  )
}
