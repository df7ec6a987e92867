import { IconAlertTriangle, IconCircleCheck, IconCircleX, IconTrophy } from '@tabler/icons-react'
import { Link } from 'react-router-dom'
import type { OwnBids } from '../../api/client/types.ts'
import { formatCents } from '../../rules/money.ts'
import { dateAndTime } from '../../rules/time.ts'
import { StatusBadge } from '../../ui/feedback/StatusBadge.tsx'
import { RowPicture } from '../../ui/listing/RowPicture.tsx'
import { RelativeTime } from '../../ui/page/RelativeTime.tsx'
import classes from './BidRow.module.css'

const badges = {
  none: null,
  leading: { text: 'Highest bidder', tone: 'good', icon: IconTrophy },
  outbid: { text: 'Outbid', tone: 'bad', icon: IconAlertTriangle },
  won: { text: 'Won', tone: 'good', icon: IconCircleCheck },
  lost: { text: 'Lost', tone: 'quiet', icon: IconCircleX },
} as const

function Status({ standing }: { standing: OwnBids['you']['standing'] }) {
  const badge = badges[standing]
  if (badge === null) return null
  return (
    <StatusBadge tone={badge.tone}>
      <badge.icon size={15} aria-hidden="true" /> {badge.text}
    </StatusBadge>
  )
}

function nameOfPrice({ final_price: final, state }: OwnBids): string {
  if (final !== null) return 'Sold For'
  return state === 'open' ? 'Current Bid' : 'Highest Bid'
}

/** An auction in which the user has bid. */
export function BidRow({ bids }: { bids: OwnBids }) {
  const { current_bid: current, final_price: final, auction_end_date: endsAt, you } = bids
  const price = final ?? current
  return (
    <article className={classes.row}>
      <RowPicture src={bids.image_url === '' ? null : bids.image_url} isFullHeight />
      <div className={classes.what}>
        <div className={classes.head}>
          <h2 dir="auto" className={classes.title}>
            <Link to={`/listing/${bids.listing_id}`}>{bids.title}</Link>
          </h2>
          <Status standing={you.standing} />
        </div>
        <dl className={classes.facts}>
          <div>
            <dt>{nameOfPrice(bids)}</dt>
            <dd>{price === null ? '–' : formatCents(price)}</dd>
          </div>
          <div>
            <dt>Your Highest Bid</dt>
            <dd>{you.best_bid === null ? '–' : formatCents(you.best_bid)}</dd>
          </div>
          <div>
            <dt>{bids.state === 'open' ? 'Ends' : 'Ended'}</dt>
            <dd>
              <RelativeTime at={endsAt}>{dateAndTime(new Date(endsAt))}</RelativeTime>
            </dd>
          </div>
        </dl>
      </div>
    </article>
  )
}
