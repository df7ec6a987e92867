import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { offersQuery } from '../../api/queries/offers.ts'
import type { Offer } from '../../api/client/types.ts'
import { useServerNow } from '../../api/clock/use-server-now.ts'
import { OfferRow } from '../../offers/OfferRow.tsx'
import { availableAction } from '../../offers/offer-actions.ts'
import { useAuth } from '../../session/use-auth.ts'
import { Alert } from '../../ui/feedback/Alert.tsx'
import classes from './Offers.module.css'

interface Props {
  offers: Offer[]
  userId: string
  setFailure: (failure: string | null) => void
}

function Rows({ offers, userId, setFailure }: Props) {
  return (
    <ul className={classes.rows}>
      {offers.map((offer) => (
        <li key={offer.id}>
          <OfferRow offer={offer} userId={userId} setFailure={setFailure} withTitle />
        </li>
      ))}
    </ul>
  )
}

/** The user's offers: open ones first, the others in a collapsed section. Hidden if there are none. */
export function Offers() {
  const { user } = useAuth()
  const now = useServerNow(60_000)
  const [failure, setFailure] = useState<string | null>(null)
  const { data: offers = [] } = useQuery({ ...offersQuery, enabled: user !== null })
  if (user === null || offers.length === 0) return null
  const open = offers.filter((offer) => availableAction(offer, user.id, now) !== null)
  const closed = offers.filter((offer) => !open.includes(offer))
  return (
    <section aria-labelledby="offers" className={classes.offers}>
      <h2 id="offers" className={classes.heading}>
        Offers
      </h2>
      <Alert message={failure} onDismiss={() => setFailure(null)} />
      {open.length > 0 && <Rows offers={open} userId={user.id} setFailure={setFailure} />}
      {closed.length > 0 && (
        <details className={classes.earlier}>
          <summary>Earlier offers ({closed.length})</summary>
          <Rows offers={closed} userId={user.id} setFailure={setFailure} />
        </details>
      )}
    </section>
  )
}
