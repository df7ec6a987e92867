import { IconClock } from '@tabler/icons-react'
import { cardCountdown, urgency } from '../rules/time.ts'
import { useServerNow } from '../api/use-server-now.ts'
import classes from './Countdown.module.css'

/** The time an auction still runs, as cards show it. */
export function Countdown({ endsAt }: { endsAt: string }) {
  const left = Date.parse(endsAt) - useServerNow(60_000)
  return (
    <span className={classes.countdown} data-urgency={urgency(left)}>
      <IconClock size={14} aria-hidden="true" />
      {cardCountdown(left)}
    </span>
  )
}
