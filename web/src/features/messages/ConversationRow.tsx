import { Link } from 'react-router-dom'
import type { Conversation } from '../../api/client/types.ts'
import { messageTime } from '../../rules/time.ts'
import { useServerNow } from '../../api/clock/use-server-now.ts'
import { Avatar } from '../../ui/controls/Avatar.tsx'
import { VisuallyHidden } from '../../ui/controls/VisuallyHidden.tsx'
import { RelativeTime } from '../../ui/page/RelativeTime.tsx'
import { displayName } from './display-name.ts'
import classes from './ConversationRow.module.css'

export function ConversationRow({ conversation, isOpen }: { conversation: Conversation; isOpen: boolean }) {
  const now = useServerNow(60_000)
  const name = displayName(conversation)
  const { last_message_time: lastTime, unread_count: unread } = conversation
  return (
    <Link
      to={`/messages?${new URLSearchParams({ conversation: conversation.id })}`}
      className={classes.row}
      aria-current={isOpen ? 'true' : undefined}
      preventScrollReset
    >
      <Avatar src={conversation.other_user_picture} name={name} alt="" size={44} />
      <span className={classes.text}>
        <span className={classes.line}>
          <span dir="auto" className={classes.name}>
            {name}
          </span>
          {lastTime !== null && (
            <RelativeTime at={lastTime} className={classes.time}>
              {messageTime(lastTime, now)}
            </RelativeTime>
          )}
        </span>
        <span dir="auto" className={classes.title}>
          {conversation.listing_title}
        </span>
        <span className={classes.line}>
          <span dir="auto" className={classes.last} data-unread={unread > 0 || undefined}>
            {conversation.last_message}
          </span>
          {unread > 0 && (
            <span className={classes.unread}>
              {unread}
              <VisuallyHidden> unread</VisuallyHidden>
            </span>
          )}
        </span>
      </span>
    </Link>
  )
}
