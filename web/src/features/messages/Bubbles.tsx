import type { ReactNode } from 'react'
import type { Message } from '../../api/client/types.ts'
import { clockTime } from '../../rules/time.ts'
import { useAuth } from '../../session/use-auth.ts'
import { RelativeTime } from '../../ui/page/RelativeTime.tsx'
import { groupByDay } from './group-by-day.ts'
import { isSending } from './pending-message.ts'
import { useStableScroll } from './use-stable-scroll.ts'
import classes from './Bubbles.module.css'

function Bubble({ message, isOwn }: { message: Message; isOwn: boolean }) {
  return (
    <li className={classes.bubble} data-own={isOwn || undefined} data-sending={isSending(message) || undefined}>
      <p dir="auto" className={classes.text}>
        {message.message_text}
      </p>
      {isSending(message) ? (
        <span className={classes.time}>Sending…</span>
      ) : (
        <RelativeTime at={message.created_at} className={classes.time}>
          {clockTime(new Date(message.created_at))}
        </RelativeTime>
      )}
    </li>
  )
}

function scrollToEnd(end: HTMLElement | null) {
  end?.parentElement?.scrollTo({ top: end.parentElement.scrollHeight })
}

interface Props {
  /** The messages, oldest first. */
  messages: Message[]
  /** An element at the top of the list that loads older messages when the user scrolls to it. */
  older: ReactNode
}

export function Bubbles({ messages, older }: Props) {
  const { user } = useAuth()
  const scroll = useStableScroll(messages[0]?.id)
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- Keyboard users can scroll only a focusable element.
    <div role="log" aria-label="Messages" tabIndex={0} className={classes.log} {...scroll}>
      {older}
      {groupByDay(messages).map((group) => (
        <section key={group.day} aria-label={group.day}>
          <p className={classes.day} aria-hidden="true">
            {group.day}
          </p>
          <ol className={classes.bubbles}>
            {group.messages.map((message) => (
              <Bubble key={message.id} message={message} isOwn={message.sender_id === user?.id} />
            ))}
          </ol>
        </section>
      ))}
      {/* The key changes with each new message. React then replaces the element, and its ref callback scrolls to the end. */}
      <div key={messages.at(-1)?.id} ref={scrollToEnd} />
    </div>
  )
}
