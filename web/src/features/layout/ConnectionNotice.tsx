import { IconCloudOff } from '@tabler/icons-react'
import { useFailingReads } from '../../api/client/use-failing-reads.ts'
import { useOnline } from '../../api/client/use-online.ts'
import classes from './ConnectionNotice.module.css'

const texts = {
  offline: "You're offline. This page may be out of date.",
  failing: "We're having trouble loading this page. Trying again…",
}

/** A notice that is shown while the browser is offline or data of the open page cannot be loaded. */
export function ConnectionNotice() {
  const isOnline = useOnline()
  const isFailing = useFailingReads()
  return (
    <output className={classes.slot}>
      {(!isOnline || isFailing) && (
        <span className={classes.notice}>
          <IconCloudOff size={18} aria-hidden="true" /> {isOnline ? texts.failing : texts.offline}
        </span>
      )}
    </output>
  )
}
