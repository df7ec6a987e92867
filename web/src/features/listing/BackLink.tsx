import { IconArrowLeft } from '@tabler/icons-react'
import type { MouseEvent } from 'react'
import { Link, useLocation, useNavigate } from 'react-router-dom'
import classes from './ListingPage.module.css'

function cameFromList(state: unknown): boolean {
  return typeof state === 'object' && state !== null && 'isFromList' in state
}

/**
 * Leads back to the list that the user came from, with its filters and scroll position, or to the home page if the user
 * did not come from a list.
 */
export function BackLink() {
  const { state } = useLocation()
  const navigate = useNavigate()
  function goBack(event: MouseEvent) {
    const opensElsewhere = event.metaKey || event.ctrlKey || event.shiftKey
    if (!cameFromList(state) || opensElsewhere) return
    event.preventDefault()
    void navigate(-1)
  }
  return (
    <Link to="/" className={classes.back} onClick={goBack}>
      <IconArrowLeft size={18} aria-hidden="true" /> Back to listings
    </Link>
  )
}
