import { useEffect, useRef } from 'react'
import type { Message } from '../../api/types.ts'
import { clockTime } from '../../rules/time.ts'
import { useAuth } from '../../session/use-auth.ts'
import { groupByDay } from './group-by-day.ts'
import classes from './Bubbles.module.css'

function Bubble({ message, isOwn }: { message: Message; isOwn: boolean }) {
  return (
    <li className={classes.bubble} data-own={isOwn || undefined}>
      <p className={classes.text}>{message.message_text}</p>
      <time className={classes.time} dateTime={message.created_at}>
        {clockTime(new Date(message.created_at))}
      </time>
    </li>
  )
}

export function Bubbles({ messages }: { messages: Message[] }) {
  const { user } = useAuth()
  const log = useRef<HTMLDivElement>(null)
  const newest = messages.at(-1)?.id
  useEffect(() => {
    log.current?.scrollTo({ top: log.current.scrollHeight })
  }, [newest])
  return (
    <div ref={log} role="log" aria-label="Messages" tabIndex={0} className={classes.log}>
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
    </div>
  )
}
