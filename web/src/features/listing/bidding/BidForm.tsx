import { lazy, Suspense } from 'react'
import type { ListingDetail } from '../../../api/client/types.ts'
import { bidFloor } from '../../../rules/listing.ts'
import { formatCents, toDollars } from '../../../rules/money.ts'
import { Alert } from '../../../ui/feedback/Alert.tsx'
import { withTrailingButton } from '../../../ui/inputs/with-trailing-button.tsx'
import { BusyButton } from '../../../ui/inputs/BusyButton.tsx'
import { MoneyInput } from '../../../ui/inputs/MoneyInput.tsx'
import { bidRefusalText } from './bid-refusal.ts'
import { BidStatusMessage } from './BidStatusMessage.tsx'
import { BidTotal } from './BidTotal.tsx'
import { useBidForm } from './use-bid-form.ts'
import type { PlaceBid } from './use-place-bid.ts'
import classes from '../purchase/BuyerActions.module.css'

const BidQuestion = lazy(async () => ({ default: (await import('./confirm/BidQuestion.tsx')).BidQuestion }))

const suggestedStep = 100

export function BidForm({ listing, bid }: { listing: ListingDetail; bid: PlaceBid }) {
  const { field, amount, jump, asked, send, submit, cancel } = useBidForm(listing, bid)
  const floor = bidFloor(listing)
  const suggested = floor + suggestedStep
  return (
    <form noValidate className={classes.bid} onSubmit={submit}>
      <Alert message={bidRefusalText(bid.error)} onDismiss={() => bid.reset()} />
      <BidStatusMessage listing={listing} placing={bid.isPending ? bid.variables.cents : null} />
      <MoneyInput
        ref={field}
        aria-label="Bid amount"
        description={`Minimum bid: ${formatCents(suggested)}`}
        required
        min={toDollars(floor + 1).toFixed(2)}
        placeholder={toDollars(suggested).toFixed(2)}
        value={amount.typed}
        error={amount.problem}
        onBlur={amount.leave}
        onChange={(event) => amount.setTyped(event.currentTarget.value)}
        inputContainer={withTrailingButton(
          <BusyButton type="submit" isBusy={bid.isPending}>
            Place Bid
          </BusyButton>,
        )}
      />
      <BidTotal listing={listing} cents={amount.cents} />
      <Suspense>
        {(jump !== null || asked !== null) && (
          <BidQuestion listing={listing} jump={jump} asked={asked} send={send} onChange={cancel} />
        )}
      </Suspense>
    </form>
  )
}
