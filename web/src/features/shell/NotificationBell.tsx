import { ActionIcon, Popover } from '@mantine/core'
import { IconBell } from '@tabler/icons-react'
import { useState } from 'react'
import { useAuth } from '../../session/use-auth.ts'
import classes from './NotificationBell.module.css'

export function NotificationBell() {
  const { user, isPending, redirectToLogin } = useAuth()
  const [isOpen, setIsOpen] = useState(false)
  function open() {
    if (user !== null) setIsOpen(!isOpen)
    else if (!isPending) void redirectToLogin()
  }
  return (
    <Popover
      opened={isOpen}
      onChange={setIsOpen}
      position="bottom-end"
      width={280}
      trapFocus
      returnFocus
      transitionProps={{ duration: 120 }}
    >
      <Popover.Target>
        <ActionIcon aria-label="Notifications" onClick={open}>
          <IconBell size={22} stroke={1.7} aria-hidden="true" />
        </ActionIcon>
      </Popover.Target>
      <Popover.Dropdown className={classes.dropdown} aria-label="Notifications">
        <p tabIndex={-1} data-autofocus>
          No new notifications
        </p>
      </Popover.Dropdown>
    </Popover>
  )
}
