import { IconClockHour4, IconLock, IconMessageQuestion } from '@tabler/icons-react'
import classes from './Assurances.module.css'

const assurances = [
  { icon: IconLock, text: 'Pay by card. You see the total before you pay.' },
  { icon: IconClockHour4, text: 'We hold the item while you check out.' },
  { icon: IconMessageQuestion, text: 'Something wrong? Support replies within 24 hours.' },
]

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
