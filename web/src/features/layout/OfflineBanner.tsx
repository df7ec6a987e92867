import { IconCloudOff } from '@tabler/icons-react'
import { useOnline } from '../../api/client/use-online.ts'
import classes from './OfflineBanner.module.css'

export function OfflineBanner() {
  const isOnline = useOnline()
  return (
    <output className={classes.slot}>
      {!isOnline && (
        <span className={classes.banner}>
          <IconCloudOff size={18} aria-hidden="true" /> You're offline. This page may be out of date.
        </span>
      )}
    </output>
  )
}
