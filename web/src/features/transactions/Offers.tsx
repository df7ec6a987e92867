import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useState, type ComponentProps } from 'react'
import { newestOffersQuery, offersQuery, pendingOffersQuery } from '../../api/queries/offers.ts'
import type { Offer, User } from '../../api/client/types.ts'
import { useServerNow } from '../../api/clock/use-server-now.ts'
import { OfferRow } from '../../offers/OfferRow.tsx'
import { availableAction } from '../../offers/offer-actions.ts'
import { useAuth } from '../../session/use-auth.ts'
import { Alert } from '../../ui/feedback/Alert.tsx'
import { ListFooter } from '../../ui/page/ListFooter.tsx'
import classes from './Offers.module.css'

type ListState = ComponentProps<typeof ListFooter>['list']

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

/** The closed offers, in a collapsed section. Further pages load only while the section is open. */
function EarlierOffers({ list, offers, ...row }: Props & { list: ListState }) {
  if (offers.length === 0) return null
  return (
    <details className={classes.earlier}>
      <summary>
        Earlier offers ({offers.length}
        {list.hasNextPage && '+'})
      </summary>
      <Rows offers={offers} {...row} />
      <ListFooter list={list} />
    </details>
  )
}

function useOffers(user: User | null) {
  const isEnabled = user !== null
  const now = useServerNow(60_000)
  const pending = useInfiniteQuery({ ...pendingOffersQuery, enabled: isEnabled })
  const all = useInfiniteQuery({ ...offersQuery, enabled: isEnabled })
  useQuery({ ...newestOffersQuery, enabled: all.isSuccess })
  const isOpen = (offer: Offer) => user !== null && availableAction(offer, user.id, now) !== null
  const open = pending.data?.items.filter(isOpen) ?? []
  const closed = all.data?.items.filter((offer) => !isOpen(offer)) ?? []
  return { pending, all, open, closed }
}

/**
 * The user's offers. Open offers come first; closed offers are in a collapsed section. Renders nothing if there are no
 * offers.
 */
export function Offers() {
  const { user } = useAuth()
  const [failure, setFailure] = useState<string | null>(null)
  const { pending, all, open, closed } = useOffers(user)
  if (user === null || (open.length === 0 && closed.length === 0)) return null
  return (
    <section aria-labelledby="offers" className={classes.offers}>
      <h2 id="offers" className={classes.heading}>
        Offers
      </h2>
      <Alert message={failure} onDismiss={() => setFailure(null)} />
      {open.length > 0 && <Rows offers={open} userId={user.id} setFailure={setFailure} />}
      <ListFooter list={pending} />
      <EarlierOffers list={all} offers={closed} userId={user.id} setFailure={setFailure} />
    </section>
  )
}
