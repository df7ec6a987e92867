import { ActionIcon, Avatar } from '@mantine/core'
import { IconLogin2, IconLogout, IconMenu2 } from '@tabler/icons-react'
import { lazy, Suspense, useState } from 'react'
import { Link } from 'react-router-dom'
import { useAuth } from '../../session/use-auth.ts'
import { memberLinks, sellLink } from './links.ts'
import classes from './MobileMenu.module.css'

const Sheet = lazy(async () => ({ default: (await import('../../ui/feedback/Sheet.tsx')).Sheet }))

function MenuLinks({ onChosen }: { onChosen: () => void }) {
  const { user, logout } = useAuth()
  if (user === null) {
    return (
      <Link to="/sign-in" className={classes.item} onClick={onChosen}>
        <IconLogin2 size={22} aria-hidden="true" /> Sign In
      </Link>
    )
  }
  const name = user.google_user_data.name ?? user.email
  return (
    <>
      <div className={classes.person}>
        <Avatar src={user.google_user_data.picture} name={name} alt="" size={40} />
        <span>{name}</span>
      </div>
      {[sellLink, ...memberLinks].map((link) => (
        <Link key={link.to} to={link.to} className={classes.item} onClick={onChosen}>
          <link.icon size={22} stroke={1.7} aria-hidden="true" /> {link.text}
        </Link>
      ))}
      <button
        type="button"
        className={classes.item}
        onClick={() => {
          onChosen()
          void logout()
        }}
      >
        <IconLogout size={22} stroke={1.7} aria-hidden="true" /> Log out
      </button>
    </>
  )
}

export function MobileMenu() {
  const [isOpen, setIsOpen] = useState(false)
  const close = () => setIsOpen(false)
  return (
    <>
      <ActionIcon aria-label="Menu" aria-expanded={isOpen} onClick={() => setIsOpen(true)}>
        <IconMenu2 size={24} aria-hidden="true" />
      </ActionIcon>
      <Suspense>
        {isOpen && (
          <Sheet opened onClose={close} title="Menu" from="right">
            <nav aria-label="Menu" className={classes.menu}>
              <MenuLinks onChosen={close} />
            </nav>
          </Sheet>
        )}
      </Suspense>
    </>
  )
}
