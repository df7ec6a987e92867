import { IconClock } from '@tabler/icons-react'
import { cardCountdown, urgency } from '../../rules/time.ts'
import { useServerNow } from '../../api/clock/use-server-now.ts'
import classes from './Countdown.module.css'

/** The remaining time of an auction, as shown on cards. */
export function Countdown({ endsAt }: { endsAt: string }) {
  const left = Date.parse(endsAt) - useServerNow(60_000)
  return (
    <span className={classes.countdown} data-urgency={urgency(left)}>
      <IconClock size={14} aria-hidden="true" />
      {cardCountdown(left)}
    </span>
  )
}
