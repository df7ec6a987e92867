import { ActionIcon } from '@mantine/core'
import { IconBell } from '@tabler/icons-react'
import { useAuth } from '../../session/use-auth.ts'
import classes from './NotificationBell.module.css'

const dropdownId = 'notifications'

/** The browser's own popover opens and closes it: by button, Escape, or a click elsewhere. */
export function NotificationBell() {
  const { user, isPending, redirectToLogin } = useAuth()
  const isSignedOut = user === null && !isPending
  return (
    <>
      <ActionIcon
        aria-label="Notifications"
        popoverTarget={user === null ? undefined : dropdownId}
        onClick={() => isSignedOut && void redirectToLogin()}
      >
        <IconBell size={22} stroke={1.7} aria-hidden="true" />
      </ActionIcon>
      <div id={dropdownId} popover="auto" className={classes.dropdown}>
        <output>No new notifications</output>
      </div>
    </>
  )
}
