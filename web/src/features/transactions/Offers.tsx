import { useQuery } from '@tanstack/react-query'
import { offersQuery } from '../../api/offers.ts'
import type { Offer } from '../../api/types.ts'
import { useServerNow } from '../../api/use-server-now.ts'
import { OfferRow } from '../../offers/OfferRow.tsx'
import { turnOf } from '../../offers/turn.ts'
import { useAuth } from '../../session/use-auth.ts'
import classes from './Offers.module.css'

function Rows({ offers, userId }: { offers: Offer[]; userId: string }) {
  return (
    <ul className={classes.rows}>
      {offers.map((offer) => (
        <li key={offer.id}>
          <OfferRow offer={offer} userId={userId} withTitle />
        </li>
      ))}
    </ul>
  )
}

/** Open offers, then the others folded away. Not there for who never made or got one. */
export function Offers() {
  const { user } = useAuth()
  const now = useServerNow(60_000)
  const { data: offers = [] } = useQuery({ ...offersQuery, enabled: user !== null })
  if (user === null || offers.length === 0) return null
  const open = offers.filter((offer) => turnOf(offer, user.id, now) !== null)
  const closed = offers.filter((offer) => !open.includes(offer))
  return (
    <section aria-labelledby="offers" className={classes.offers}>
      <h2 id="offers" className={classes.heading}>
        Offers
      </h2>
      {open.length > 0 && <Rows offers={open} userId={user.id} />}
      {closed.length > 0 && (
        <details className={classes.earlier}>
          <summary>Earlier offers ({closed.length})</summary>
          <Rows offers={closed} userId={user.id} />
        </details>
      )}
    </section>
  )
}
