import { IconAlertTriangle, IconCircleCheck, IconCircleX, IconTrophy } from '@tabler/icons-react'
import type { OwnBids } from '../../api/client/types.ts'
import { formatCents } from '../../rules/money.ts'
import { dateAndTime } from '../../rules/time.ts'
import { StatusBadge } from '../../ui/feedback/StatusBadge.tsx'
import { ListingRow, RowDetail, RowDetails } from '../../ui/listing/ListingRow.tsx'
import { RelativeTime } from '../../ui/page/RelativeTime.tsx'

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
    <ListingRow
      id={bids.listing_id}
      title={bids.title}
      picture={bids.image_url === '' ? null : bids.image_url}
      badge={<Status standing={you.standing} />}
    >
      <RowDetails>
        <RowDetail term={nameOfPrice(bids)}>{price === null ? '–' : formatCents(price)}</RowDetail>
        <RowDetail term="Your Highest Bid">{you.best_bid === null ? '–' : formatCents(you.best_bid)}</RowDetail>
        <RowDetail term={bids.state === 'open' ? 'Ends' : 'Ended'}>
          <RelativeTime at={endsAt}>{dateAndTime(new Date(endsAt))}</RelativeTime>
        </RowDetail>
      </RowDetails>
    </ListingRow>
  )
}
