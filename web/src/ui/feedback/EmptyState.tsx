import {
  IconBox,
  IconCloudOff,
  IconHeart,
  IconMessages,
  IconReceipt,
  IconSearch,
  IconTag,
  IconUser,
  type Icon,
} from '@tabler/icons-react'
import type { ReactNode } from 'react'
import classes from './EmptyState.module.css'

const icons = {
  box: IconBox,
  cloud: IconCloudOff,
  heart: IconHeart,
  messages: IconMessages,
  receipt: IconReceipt,
  search: IconSearch,
  tag: IconTag,
  user: IconUser,
} satisfies Record<string, Icon>

interface Props {
  icon: keyof typeof icons
  heading: ReactNode
  children?: ReactNode
}

/** Shown instead of an empty list: an icon, a heading and further content, such as a button. */
export function EmptyState({ icon, heading, children }: Props) {
  const StateIcon = icons[icon]
  return (
    <div className={classes.empty}>
      <div className={classes.icon} aria-hidden="true">
        <StateIcon size={40} stroke={1.4} />
      </div>
      <div className={classes.heading}>{heading}</div>
      {children}
    </div>
  )
}
