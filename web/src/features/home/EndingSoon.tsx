import { useInfiniteQuery } from '@tanstack/react-query'
import { listingsQuery } from '../../api/queries.ts'
import { isForSale } from '../../rules/listing.ts'
import { ListingCard } from '../../ui/ListingCard.tsx'
import { useServerNow } from '../../api/use-server-now.ts'
import classes from './EndingSoon.module.css'

/** Auctions by their end. Not there without any, nor while unknown: the listings below do not wait for it. */
export function EndingSoon() {
  const now = useServerNow(60_000)
  const { data, isPending } = useInfiniteQuery(listingsQuery({ sort: 'ending-soon', limit: 12 }))
  const auctions = (data?.pages[0]?.listings ?? []).filter((listing) => listing.is_auction && isForSale(listing, now))
  if (isPending) return <div className={classes.placeholder} />
  if (auctions.length === 0) return null
  return (
    <section aria-labelledby="ending-soon" className={classes.rail}>
      <h2 id="ending-soon" className={classes.heading}>
        Ending soon
      </h2>
      <ul className={classes.cards}>
        {auctions.map((listing) => (
          <li key={listing.id}>
            <ListingCard listing={listing} />
          </li>
        ))}
      </ul>
    </section>
  )
}
