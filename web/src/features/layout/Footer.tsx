import { Link } from 'react-router-dom'
import { site } from '../../api/client/site.ts'
import { useAuth } from '../../session/use-auth.ts'
import { footerGroups, memberFooterGroup, type FooterGroup } from './links.ts'
import classes from './Footer.module.css'

function LinkGroup({ group }: { group: FooterGroup }) {
  return (
    <div>
      <h2 className={classes.heading}>{group.heading}</h2>
      <ul>
        {group.links.map((link) => (
          <li key={link.to}>
            <Link to={link.to} className={classes.link}>
              {link.text}
            </Link>
          </li>
        ))}
      </ul>
    </div>
  )
}

export function Footer() {
  const { user } = useAuth()
  return (
    <footer className={classes.footer}>
      <div className={classes.inside}>
        <div className={classes.about}>
          <p className={classes.name}>Marketplace</p>
          <p>Secondhand items from people like you. Buy now or bid, and pay securely by card.</p>
          <p>
            Questions? <a href={`mailto:${site.supportEmail}`}>{site.supportEmail}</a>
            <br />
            We reply within 24 hours.
          </p>
        </div>
        <nav aria-label="Footer" className={classes.groups}>
          {footerGroups.map((group) => (
            <LinkGroup key={group.heading} group={group} />
          ))}
          {user !== null && <LinkGroup group={memberFooterGroup} />}
        </nav>
      </div>
    </footer>
  )
}
