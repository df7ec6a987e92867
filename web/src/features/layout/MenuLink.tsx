import { Link } from 'react-router-dom'
import type { LayoutLink } from './links.ts'
import { OfferCount } from './OfferCount.tsx'
import classes from './MobileMenu.module.css'

/** A link in the phone menu. */
export function MenuLink({ link, onChosen }: { link: LayoutLink; onChosen: () => void }) {
  return (
    <Link to={link.to} className={classes.item} onClick={onChosen}>
      <link.icon size={22} stroke={1.7} aria-hidden="true" /> {link.text} <OfferCount link={link} />
    </Link>
  )
}
