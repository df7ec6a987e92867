import { IconArrowLeft } from '@tabler/icons-react'
import type { MouseEvent } from 'react'
import { Link, useLocation, useNavigate } from 'react-router-dom'
import classes from './ListingPage.module.css'

function cameFromList(state: unknown): boolean {
  return typeof state === 'object' && state !== null && 'isFromList' in state
}

/** Back to the list one came from, its filters and place kept; home for who came from elsewhere. */
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
