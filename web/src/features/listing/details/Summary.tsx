import { IconClock, IconEye, IconGavel, IconMapPin } from '@tabler/icons-react'
import { Link } from 'react-router-dom'
import type { ListingDetail } from '../../../api/client/types.ts'
import { conditionNames } from '../../../rules/listing.ts'
import { listedAgo } from '../../../rules/time.ts'
import { RelativeTime } from '../../../ui/page/RelativeTime.tsx'
import { PageHeading } from '../../../ui/page/PageHeading.tsx'
import { useServerNow } from '../../../api/clock/use-server-now.ts'
import classes from './Summary.module.css'

export function Summary({ listing }: { listing: ListingDetail }) {
  const now = useServerNow(60_000)
  const views = `${listing.view_count} ${listing.view_count === 1 ? 'view' : 'views'}`
  return (
    <header className={classes.summary}>
      <ul className={classes.chips}>
        <li>
          <Link to={`/?${new URLSearchParams({ category: listing.category.slug })}`} className={classes.chip}>
            {listing.category.name}
          </Link>
        </li>
        <li className={classes.chip}>{conditionNames[listing.condition]}</li>
        {listing.is_auction && (
          <li className={classes.chip} data-auction>
            <IconGavel size={15} aria-hidden="true" /> Auction
          </li>
        )}
      </ul>
      <PageHeading className={classes.title}>{listing.title}</PageHeading>
      <ul className={classes.meta}>
        <li>
          <IconEye size={16} aria-hidden="true" /> {views}
        </li>
        <li>
          <IconClock size={16} aria-hidden="true" />
          <RelativeTime at={listing.created_at}>{listedAgo(listing.created_at, now)}</RelativeTime>
        </li>
        {listing.location !== '' && (
          <li>
            <IconMapPin size={16} aria-hidden="true" /> <bdi>{listing.location}</bdi>
          </li>
        )}
      </ul>
    </header>
  )
}
