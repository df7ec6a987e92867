import { IconLogout } from '@tabler/icons-react'
import { Link, NavLink } from 'react-router-dom'
import { rememberReturnPage } from '../../session/return-page.ts'
import { useAuth } from '../../session/use-auth.ts'
import { ActionIcon } from '../../ui/controls/ActionIcon.tsx'
import { Avatar } from '../../ui/controls/Avatar.tsx'
import { ButtonLink } from '../../ui/controls/Button.tsx'
import { memberLinks, sellLink } from './links.ts'
import { OfferCount } from './OfferCount.tsx'
import classes from './MemberNav.module.css'

export function MemberNav() {
  const { user, isPending, logout } = useAuth()
  if (isPending) return <div className={classes.pending} />
  if (user === null) {
    return (
      <nav className={classes.nav} aria-label="Account">
        <Link to="/sign-in" className={classes.signIn} onClick={() => rememberReturnPage()}>
          Sign In
        </Link>
      </nav>
    )
  }
  const name = user.google_user_data.name ?? user.email
  return (
    <nav className={classes.nav} aria-label="Account">
      {memberLinks.map((link) => (
        <NavLink key={link.to} to={link.to} className={classes.link} title={link.text}>
          <link.icon className={classes.icon} size={22} stroke={1.7} aria-hidden="true" />
          <span className={classes.text}>{link.text}</span> <OfferCount link={link} />
        </NavLink>
      ))}
      <ButtonLink to={sellLink.to} size="sm" leftSection={<sellLink.icon size={18} aria-hidden="true" />}>
        {sellLink.text}
      </ButtonLink>
      <Avatar className={classes.avatar} src={user.google_user_data.picture} name={name} alt={name} size={34} />
      <ActionIcon className={classes.logout} aria-label="Log out" title="Log out" onClick={() => void logout()}>
        <IconLogout size={20} aria-hidden="true" />
      </ActionIcon>
    </nav>
  )
}
