import { IconChevronRight, IconTag } from '@tabler/icons-react'
import { Link } from 'react-router-dom'
import { useWaitingOffers } from '../../offers/use-waiting-offers.ts'
import classes from './TransactionsPage.module.css'

/** A link to the offers that wait for the user's response. Renders nothing if there are none. */
export function WaitingOffers() {
  const { count, text } = useWaitingOffers()
  if (count === 0) return null
  return (
    <Link to="/offers" className={classes.offers}>
      <IconTag size={20} stroke={1.7} aria-hidden="true" />
      {text === '1' ? '1 offer needs your response' : `${text} offers need your response`}
      <IconChevronRight size={18} className={classes.chevron} aria-hidden="true" />
    </Link>
  )
}
