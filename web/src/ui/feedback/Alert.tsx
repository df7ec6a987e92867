import { IconAlertCircle, IconCircleCheck, IconX } from '@tabler/icons-react'
import { ActionIcon } from '../controls/ActionIcon.tsx'
import classes from './Alert.module.css'

interface Props {
  message: string | null
  onDismiss: () => void
  tone?: 'bad' | 'good'
  isFloating?: boolean
}

/**
 * A message that stays until the user dismisses it. With `isFloating`, the message is visible at any scroll position.
 */
export function Alert({ message, onDismiss, tone = 'bad', isFloating = false }: Props) {
  if (message === null) return null
  const Icon = tone === 'good' ? IconCircleCheck : IconAlertCircle
  return (
    <div role="alert" className={classes.alert} data-tone={tone} data-floating={isFloating || undefined}>
      <Icon className={classes.icon} size={20} aria-hidden="true" />
      <span className={classes.message}>{message}</span>
      <ActionIcon aria-label="Dismiss" size={36} onClick={onDismiss}>
        <IconX size={18} aria-hidden="true" />
      </ActionIcon>
    </div>
  )
}
