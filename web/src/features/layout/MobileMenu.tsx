import { IconLogout, IconMenu2 } from '@tabler/icons-react'
import { lazy, Suspense, useState } from 'react'
import type { User } from '../../api/client/types.ts'
import { useAuth } from '../../session/use-auth.ts'
import { ActionIcon } from '../../ui/controls/ActionIcon.tsx'
import { Avatar } from '../../ui/controls/Avatar.tsx'
import { memberLinks, sellLink } from './links.ts'
import { MenuLink } from './MenuLink.tsx'
import { VisitorLinks } from './VisitorLinks.tsx'
import classes from './MobileMenu.module.css'

const Sheet = lazy(async () => ({ default: (await import('../../ui/feedback/Sheet.tsx')).Sheet }))

function MemberLinks({ user, onChosen }: { user: User; onChosen: () => void }) {
  const { logout } = useAuth()
  const name = user.google_user_data.name ?? user.email
  return (
    <>
      <div className={classes.person}>
        <Avatar src={user.google_user_data.picture} name={name} alt="" size={40} />
        <span>{name}</span>
      </div>
      {[sellLink, ...memberLinks].map((link) => (
        <MenuLink key={link.to} link={link} onChosen={onChosen} />
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

export function MobileMenu({ onHelp }: { onHelp: () => void }) {
  const { user } = useAuth()
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
              {user === null ? (
                <VisitorLinks
                  onChosen={close}
                  onHelp={() => {
                    close()
                    onHelp()
                  }}
                />
              ) : (
                <MemberLinks user={user} onChosen={close} />
              )}
            </nav>
          </Sheet>
        )}
      </Suspense>
    </>
  )
}
