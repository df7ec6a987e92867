import { VisuallyHidden } from '../../ui/controls/VisuallyHidden.tsx'
import { useWaitingOffers } from '../../offers/use-waiting-offers.ts'
import { offersLink, type LayoutLink } from './links.ts'
import classes from './OfferCount.module.css'

function WaitingOffers() {
  const { count, text } = useWaitingOffers()
  if (count === 0) return null
  return (
    <>
      <span aria-hidden="true" className={classes.count}>
        {text}
      </span>
      <VisuallyHidden>{text} waiting for your response</VisuallyHidden>
    </>
  )
}

/** Shows how many offers wait for the user's response if `link` leads to the offers; otherwise renders nothing. */
export function OfferCount({ link }: { link: LayoutLink }) {
  return link === offersLink ? <WaitingOffers /> : null
}
