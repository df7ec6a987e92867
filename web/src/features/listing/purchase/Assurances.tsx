import { IconClockHour4, IconLock, IconMessageQuestion } from '@tabler/icons-react'
import classes from './Assurances.module.css'

const assurances = [
  { icon: IconLock, text: 'You pay by card, and see the fee and the total first.' },
  { icon: IconClockHour4, text: 'The item is held for you while you pay.' },
  { icon: IconMessageQuestion, text: 'If something goes wrong, we answer within 24 hours.' },
]

/** Assurances for buyers, shown next to the purchase controls. */
export function Assurances() {
  return (
    <ul className={classes.assurances}>
      {assurances.map(({ icon: Icon, text }) => (
        <li key={text}>
          <Icon size={20} stroke={1.6} aria-hidden="true" />
          <span>{text}</span>
        </li>
      ))}
    </ul>
  )
}
