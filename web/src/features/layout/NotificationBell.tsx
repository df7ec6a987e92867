import { IconBell } from '@tabler/icons-react'
import { useCallback, useEffect, useRef } from 'react'
import { rememberReturnPage } from '../../session/return-page.ts'
import { useAuth } from '../../session/use-auth.ts'
import { ActionIcon } from '../../ui/controls/ActionIcon.tsx'
import classes from './NotificationBell.module.css'

const dropdownId = 'notifications'

/**
 * The notification bell with its dropdown. A click while the session is loading takes effect once the session is
 * loaded.
 */
export function NotificationBell() {
  const { user, isPending, redirectToLogin } = useAuth()
  const wasClickedEarly = useRef(false)
  const dropdown = useRef<HTMLDivElement>(null)

  const signIn = useCallback(() => {
    rememberReturnPage()
    void redirectToLogin()
  }, [redirectToLogin])

  useEffect(() => {
    if (isPending || !wasClickedEarly.current) return
    wasClickedEarly.current = false
    if (user === null) signIn()
    else dropdown.current?.showPopover()
  }, [isPending, user, signIn])

  function handleClick() {
    if (isPending) wasClickedEarly.current = true
    else if (user === null) signIn()
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
