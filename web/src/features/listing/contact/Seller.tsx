import { Link } from 'react-router-dom'
import { Avatar } from '../../../ui/controls/Avatar.tsx'
import classes from './Seller.module.css'

/**
 * The seller's name as a link to the seller's page. Renders nothing if `name` is null, which means that the users
 * service is unavailable.
 */
export function Seller({ id, name }: { id: string; name: string | null }) {
  if (name === null) return null
  return (
    <div className={classes.seller}>
      <Avatar name={name} size={40} />
      <p>
        <span className={classes.label}>Sold by</span>
        <br />
        <Link to={`/sellers/${id}`} dir="auto" className={classes.name}>
          {name}
        </Link>
      </p>
    </div>
  )
}
