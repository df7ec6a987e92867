import { ActionIcon } from '@mantine/core'
import { IconBell } from '@tabler/icons-react'
import { useEffect, useRef } from 'react'
import { useAuth } from '../../session/use-auth.ts'
import classes from './NotificationBell.module.css'

const dropdownId = 'notifications'

/**
 * The notification bell. The native popover API opens and closes its dropdown: by button, Escape or a click outside. A click while
 * the session is being fetched takes effect once it is known.
 */
export function NotificationBell() {
  const { user, isPending, redirectToLogin } = useAuth()
  const wasClickedEarly = useRef(false)
  const dropdown = useRef<HTMLDivElement>(null)

  useEffect(() => {
    if (isPending || !wasClickedEarly.current) return
    wasClickedEarly.current = false
    if (user === null) void redirectToLogin()
    else dropdown.current?.showPopover()
  }, [isPending, user, redirectToLogin])

  function handleClick() {
    if (isPending) wasClickedEarly.current = true
    else if (user === null) void redirectToLogin()
  }

  return (
    <>
      <ActionIcon
        aria-label="Notifications"
        popoverTarget={user === null ? undefined : dropdownId}
        onClick={handleClick}
      >
        <IconBell size={22} stroke={1.7} aria-hidden="true" />
      </ActionIcon>
      <div id={dropdownId} ref={dropdown} popover="auto" className={classes.dropdown}>
        <output>No new notifications</output>
      </div>
    </>
  )
}
