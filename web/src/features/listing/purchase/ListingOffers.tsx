import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { listingOffersQuery } from '../../../api/queries/offers.ts'
import { retryInterval } from '../../../api/queries/retry-interval.ts'
import { listingTransactionsQuery } from '../../../api/queries/transactions.ts'
import type { ListingDetail } from '../../../api/client/types.ts'
import { OfferRow } from '../../../offers/OfferRow.tsx'
import { useAuth } from '../../../session/use-auth.ts'
import { Alert } from '../../../ui/feedback/Alert.tsx'
import classes from './ListingOffers.module.css'

const maxShown = 5

/** The offers on a listing that the user may see: a buyer sees their own offers, the seller sees all offers. */
export function ListingOffers({ listing }: { listing: ListingDetail }) {
  const { user } = useAuth()
  const [failure, setFailure] = useState<string | null>(null)
  const { data: all = [] } = useQuery({
    ...listingOffersQuery(listing.id),
    enabled: user !== null && !listing.is_auction,
  })
  const offers = all.filter((offer) => offer.listing_id === listing.id)
  const { data: transactions = [] } = useQuery({
    ...listingTransactionsQuery(listing.id),
    enabled: offers.some((offer) => offer.status === 'accepted' && offer.buyer_id === user?.id),
    // Not polled here, because BuyerActions polls the same query.
    refetchInterval: retryInterval,
  })
  const isUnpaid = transactions.some(({ listing_id: id, pay_by: payBy }) => id === listing.id && payBy !== null)
  if (user === null || offers.length === 0) return null
  return (
    <section aria-labelledby="offers" className={classes.offers}>
      <h2 id="offers" className={classes.heading}>
        Offers
      </h2>
      <Alert message={failure} onDismiss={() => setFailure(null)} />
      <ul className={classes.rows}>
        {offers.slice(0, maxShown).map((offer) => (
          <li key={offer.id}>
            <OfferRow offer={offer} userId={user.id} isUnpaid={isUnpaid} setFailure={setFailure} />
          </li>
        ))}
      </ul>
    </section>
  )
}
