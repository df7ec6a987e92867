import { Link } from 'react-router-dom'
import classes from './Logo.module.css'

export function Logo() {
  return (
    <Link to="/" className={classes.logo} aria-label="Marketplace home">
      <img src="/favicon.svg" alt="" width={32} height={32} />
      <span className={classes.name}>Marketplace</span>
    </Link>
  )
}
