import { feeOf, totalOf } from '@marketplace/contracts/fee.ts'
import { useQuery } from '@tanstack/react-query'
import { paymentConfigQuery } from '../../../../api/queries/queries.ts'
import type { ListingDetail } from '../../../../api/client/types.ts'
import { bidFloor } from '../../../../rules/listing.ts'
import { formatCents } from '../../../../rules/money.ts'
import type { FarJump } from '../bid-refusal.ts'
import { ConfirmBid } from './ConfirmBid.tsx'

interface Props {
  listing: ListingDetail
  onConfirm: () => void
  onChange: () => void
}

/** Asks the user to confirm a bid that the server rejected because it is far above the price. */
function FarJumpQuestion({ listing, jump, onConfirm, onChange }: Props & { jump: FarJump }) {
  const { amount, currentBid, total } = jump
  const times = Math.floor(amount / (currentBid ?? bidFloor(listing))).toLocaleString('en-US')
  return (
    <ConfirmBid
      title={`Is ${formatCents(amount)} right?`}
      question={`It's ${times} times the ${currentBid === null ? 'starting' : 'current'} bid. You'd pay ${formatCents(total)} in total.`}
      amounts={jump}
      onConfirm={onConfirm}
      onChange={onChange}
    />
  )
}

/** Asks the user to confirm a bid before it is sent. Shown only if the user has turned on "Ask me before each bid". */
function PlainQuestion({ listing, cents, onConfirm, onChange }: Props & { cents: number }) {
  const rate = useQuery(paymentConfigQuery).data?.fee_basis_points
  const { shipping_cost: shipping } = listing
  return (
    <ConfirmBid
      title={`Bid ${formatCents(cents)}?`}
      question="Bids are binding. If you win, you must pay within 48 hours."
      amounts={{
        amount: cents,
        shipping,
        fee: rate === undefined ? null : feeOf(cents, rate),
        total: rate === undefined ? null : totalOf(cents, shipping, rate),
      }}
      onConfirm={onConfirm}
      onChange={onChange}
    />
  )
}

interface QuestionProps {
  listing: ListingDetail
  /** The bid that the server rejected because it needs a confirmation; null if there is none. */
  jump: FarJump | null
  /** The bid, in cents, that the user must confirm before it is sent; null if there is none. */
  asked: number | null
  send: (cents: number, isConfirmed: boolean) => void
  onChange: () => void
}

/** Asks the user to confirm the bid, if there is one to confirm. */
export function BidQuestion({ listing, jump, asked, send, onChange }: QuestionProps) {
  if (jump !== null)
    return (
      <FarJumpQuestion listing={listing} jump={jump} onConfirm={() => send(jump.amount, true)} onChange={onChange} />
    )
  if (asked === null) return null
  return <PlainQuestion listing={listing} cents={asked} onConfirm={() => send(asked, false)} onChange={onChange} />
}
