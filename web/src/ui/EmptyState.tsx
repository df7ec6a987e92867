import { IconBox, IconCloudOff, IconHeart, IconMessages, IconReceipt, IconSearch, type Icon } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import classes from './EmptyState.module.css'

const drawings = {
  box: IconBox,
  cloud: IconCloudOff,
  heart: IconHeart,
  messages: IconMessages,
  receipt: IconReceipt,
  search: IconSearch,
} satisfies Record<string, Icon>

type Props = { drawing: keyof typeof drawings; heading: ReactNode; children?: ReactNode }

/** One drawing, one sentence, one button. */
export function EmptyState({ drawing, heading, children }: Props) {
  const Drawing = drawings[drawing]
  return (
    <div className={classes.empty}>
      <div className={classes.drawing} aria-hidden="true">
        <Drawing size={40} stroke={1.4} />
      </div>
      <div className={classes.heading}>{heading}</div>
      {children}
    </div>
  )
}
