import { useQueryClient } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import { errorText } from '../api/client/http.ts'
import { respondToOffer, type OfferAction } from '../api/queries/offers.ts'
import type { Offer } from '../api/client/types.ts'
import { useSingleMutation } from '../api/client/use-single-mutation.ts'
import { formatCents } from '../rules/money.ts'
import { Button } from '../ui/controls/Button.tsx'
import { BusyButton } from '../ui/inputs/BusyButton.tsx'
import { useFocusHeading } from '../ui/hooks/use-restore-focus.ts'
import classes from './offers.module.css'

const CounterDialog = lazy(async () => ({ default: (await import('./CounterDialog.tsx')).CounterDialog }))

type SetFailure = (failure: string | null) => void

function useRespond(offer: Offer, setFailure: SetFailure) {
  const queryClient = useQueryClient()
  return useSingleMutation({
    mutationFn: (action: OfferAction) => respondToOffer(offer.id, action),
    onMutate: () => setFailure(null),
    onError: (error) => setFailure(errorText(error, "We couldn't send your response. Try again.")),
    // Refetches all data, even after a failure: the item may have been sold or reserved, or the other party may have
    // responded.
    onSettled: () => queryClient.invalidateQueries(),
    meta: { failure: 'Failed to answer offer:' },
  })
}

interface Props {
  offer: Offer
  action: 'respond' | 'withdraw'
  setFailure: SetFailure
}

/** The buttons for an open offer. The parent shows errors, because the buttons disappear once the offer is closed. */
export function OfferActions({ offer, action, setFailure }: Props) {
  useFocusHeading()
  const [isCountering, setIsCountering] = useState(false)
  const response = useRespond(offer, setFailure)
  const isBusy = (step: OfferAction) => response.isPending && response.variables === step
  const choose = (step: OfferAction) => () => {
    if (!response.isPending) response.mutate(step)
  }
  return (
    <>
      <div className={classes.actions}>
        {action === 'withdraw' && (
          <BusyButton variant="default" size="sm" isBusy={isBusy('withdraw')} onClick={choose('withdraw')}>
            Withdraw
          </BusyButton>
        )}
        {action === 'respond' && (
          <>
            <BusyButton size="sm" isBusy={isBusy('accept')} onClick={choose('accept')}>
              Accept {formatCents(offer.amount)}
            </BusyButton>
            <Button variant="default" size="sm" onClick={() => setIsCountering(true)}>
              Counter
            </Button>
            <BusyButton variant="subtle" size="sm" isBusy={isBusy('reject')} onClick={choose('reject')}>
              Reject
            </BusyButton>
          </>
        )}
      </div>
      <Suspense>
        {isCountering && <CounterDialog offer={offer} setFailure={setFailure} onClose={() => setIsCountering(false)} />}
      </Suspense>
    </>
  )
}
