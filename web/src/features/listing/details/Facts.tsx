import type { ReactNode } from 'react'
import type { ListingDetail } from '../../../api/client/types.ts'
import { conditionNames } from '../../../rules/listing.ts'
import { fullDate } from '../../../rules/time.ts'
import { RelativeTime } from '../../../ui/page/RelativeTime.tsx'
import page from '../ListingPage.module.css'
import classes from './Facts.module.css'

export function Facts({ listing }: { listing: ListingDetail }) {
  const details: [string, ReactNode][] = [
    ['Condition', conditionNames[listing.condition]],
    ['Category', listing.category.name],
    ['Location', <bdi key="location">{listing.location || 'Not specified'}</bdi>],
    [
      'Listed',
      <RelativeTime key="listed" at={listing.created_at}>
        {fullDate(new Date(listing.created_at))}
      </RelativeTime>,
    ],
    ['Views', String(listing.view_count)],
  ]
  return (
    <div className={page.facts}>
      <section aria-labelledby="description">
        <h2 id="description" className={classes.heading}>
          Description
        </h2>
        <p dir="auto" className={classes.description}>
          {listing.description || "The seller hasn't added a description."}
        </p>
      </section>
      <section aria-labelledby="details">
        <h2 id="details" className={classes.heading}>
          Item Details
        </h2>
        <dl className={classes.details}>
          {details.map(([term, value]) => (
            <div key={term} className={classes.row}>
              <dt>{term}</dt>
              <dd>{value}</dd>
            </div>
          ))}
        </dl>
      </section>
    </div>
  )
}
