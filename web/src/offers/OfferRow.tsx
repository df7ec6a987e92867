import { IconCircleCheck, IconCircleX, IconClock } from '@tabler/icons-react'
import { Link } from 'react-router-dom'
import type { Offer } from '../api/client/types.ts'
import { useServerNow } from '../api/clock/use-server-now.ts'
import { formatCents } from '../rules/money.ts'
import { dateAndTime } from '../rules/time.ts'
import { RowPicture } from '../ui/listing/RowPicture.tsx'
import { RelativeTime } from '../ui/page/RelativeTime.tsx'
import { StatusBadge } from '../ui/feedback/StatusBadge.tsx'
import { OfferActions } from './OfferActions.tsx'
import { sideOf, offerState, availableAction, type OfferState } from './offer-actions.ts'
import classes from './offers.module.css'

const states = {
  pending: { text: 'Pending', tone: 'time', icon: IconClock },
  accepted: { text: 'Accepted', tone: 'good', icon: IconCircleCheck },
  rejected: { text: 'Rejected', tone: 'bad', icon: IconCircleX },
  withdrawn: { text: 'Withdrawn', tone: 'quiet', icon: IconCircleX },
  expired: { text: 'Expired', tone: 'quiet', icon: IconClock },
} as const

function State({ state }: { state: OfferState }) {
  const { text, tone, icon: Icon } = states[state]
  return (
    <StatusBadge tone={tone}>
      <Icon size={15} aria-hidden="true" /> {text}
    </StatusBadge>
  )
}

/** Says who offered how much, and to whom, as far as the name of the other side is known. */
function Terms({ offer, userId }: { offer: Offer; userId: string }) {
  const isOwn = offer.made_by === sideOf(offer, userId)
  const unnamed = offer.made_by === 'buyer' ? 'A buyer' : 'The seller'
  const name = offer.other_user_name ?? null
  return (
    <p className={classes.words}>
      {isOwn ? 'You' : <bdi>{name ?? unnamed}</bdi>} offered{' '}
      <span className={classes.amount}>{formatCents(offer.amount)}</span>
      {isOwn && name !== null && (
        <>
          {' '}
          to <bdi>{name}</bdi>
        </>
      )}
    </p>
  )
}

interface Props {
  offer: Offer
  userId: string
  /** Whether the user bought the listing and still has to pay for it. */
  isUnpaid: boolean
  setFailure: (failure: string | null) => void
  /** Whether to show the title and the picture of the listing. */
  withListing?: boolean
}

export function OfferRow({ offer, userId, isUnpaid, setFailure, withListing = false }: Props) {
  const now = useServerNow(60_000)
  const action = availableAction(offer, userId, now)
  const state = offerState(offer, now)
  const owesPayment = isUnpaid && state === 'accepted' && offer.buyer_id === userId
  return (
    <article className={classes.row} data-with-picture={withListing || undefined}>
      {withListing && <RowPicture src={offer.listing_image_url} />}
      <div className={classes.what}>
        <div className={classes.head}>
          <div className={classes.terms}>
            {withListing && (
              <h2 dir="auto" className={classes.title}>
                <Link to={`/listing/${offer.listing_id}`}>{offer.listing_title}</Link>
              </h2>
            )}
            <Terms offer={offer} userId={userId} />
          </div>
          <State state={state} />
        </div>
        {offer.message !== null && (
          <p dir="auto" className={classes.message}>
            {offer.message}
          </p>
        )}
        {action !== null && (
          <p className={classes.expiry}>
            Expires <RelativeTime at={offer.expires_at}>{dateAndTime(new Date(offer.expires_at))}</RelativeTime>
          </p>
        )}
        {owesPayment && (
          <p className={classes.expiry}>
            Pay for it in <Link to="/transactions">Transactions</Link>.
          </p>
        )}
        {action !== null && <OfferActions offer={offer} action={action} setFailure={setFailure} />}
      </div>
    </article>
  )
}
