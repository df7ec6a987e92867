import { Button } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import { errorText } from '../api/http.ts'
import { answerOffer, type OfferAnswer } from '../api/offers.ts'
import type { Offer } from '../api/types.ts'
import { useSingleMutation } from '../api/use-single-mutation.ts'
import { formatCents } from '../rules/money.ts'
import { BusyButton } from '../ui/BusyButton.tsx'
import { useFocusHeading } from '../ui/use-focus-back.ts'
import classes from './offers.module.css'

const CounterDialog = lazy(async () => ({ default: (await import('./CounterDialog.tsx')).CounterDialog }))

type SetFailure = (failure: string | null) => void

function useAnswer(offer: Offer, setFailure: SetFailure) {
  const queryClient = useQueryClient()
  return useSingleMutation({
    mutationFn: (step: OfferAnswer) => answerOffer(offer.id, step),
    onMutate: () => setFailure(null),
    onError: (error) => setFailure(errorText(error, 'Failed to answer the offer')),
    // A sale, a reservation or an answer of the other side may be behind a refusal too: everything is asked again.
    onSettled: () => queryClient.invalidateQueries(),
    meta: { failure: 'Failed to answer offer:' },
  })
}

type Props = { offer: Offer; turn: 'answer' | 'withdraw'; setFailure: SetFailure }

/** A refused answer ends these actions when the offer turns out to be closed: its words are for who shows the list. */
export function OfferActions({ offer, turn, setFailure }: Props) {
  useFocusHeading()
  const [isCountering, setIsCountering] = useState(false)
  const reply = useAnswer(offer, setFailure)
  const isBusy = (step: OfferAnswer) => reply.isPending && reply.variables === step
  const choose = (step: OfferAnswer) => () => {
    if (!reply.isPending) reply.mutate(step)
  }
  return (
    <>
      <div className={classes.actions}>
        {turn === 'withdraw' && (
          <BusyButton variant="default" size="sm" isBusy={isBusy('withdraw')} onClick={choose('withdraw')}>
            Withdraw
          </BusyButton>
        )}
        {turn === 'answer' && (
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
