import type { Session } from '../../api/client/types.ts'
import { dateAndTime } from '../../rules/time.ts'
import { BusyButton } from '../../ui/inputs/BusyButton.tsx'
import { useFocusHeading } from '../../ui/hooks/use-restore-focus.ts'
import { RelativeTime } from '../../ui/page/RelativeTime.tsx'
import classes from './SessionsPage.module.css'

interface Props {
  session: Session
  isEnding: boolean
  onEnd: () => void
}

function At({ at }: { at: string }) {
  return <RelativeTime at={at}>{dateAndTime(new Date(at))}</RelativeTime>
}

export function SessionRow({ session, isEnding, onEnd }: Props) {
  useFocusHeading()
  const { id, device, is_current: isCurrent, created_at: signedInAt, last_used_at: lastUsedAt } = session
  return (
    <div className={classes.row}>
      <div>
        <h2 id={`session-${id}`} className={classes.device}>
          {device}
        </h2>
        <p className={classes.times}>
          Signed in <At at={signedInAt} />.{' '}
          {isCurrent ? (
            'This is your current session.'
          ) : (
            <>
              Last used <At at={lastUsedAt} />.
            </>
          )}
        </p>
      </div>
      {!isCurrent && (
        <BusyButton variant="default" size="sm" isBusy={isEnding} onClick={onEnd} aria-describedby={`session-${id}`}>
          End session
        </BusyButton>
      )}
    </div>
  )
}
