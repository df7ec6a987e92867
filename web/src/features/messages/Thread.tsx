import { IconArrowLeft } from '@tabler/icons-react'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Link } from 'react-router-dom'
import { messagesQuery, newestMessagesQuery } from '../../api/queries/messages.ts'
import type { Conversation } from '../../api/client/types.ts'
import { ActionIconLink } from '../../ui/controls/ActionIcon.tsx'
import { Avatar } from '../../ui/controls/Avatar.tsx'
import { ListFooter } from '../../ui/page/ListFooter.tsx'
import { useAuth } from '../../session/use-auth.ts'
import { Bubbles } from './Bubbles.tsx'
import { displayName } from './display-name.ts'
import { isSending } from './pending-message.ts'
import { useMarkRead } from './use-mark-read.ts'
import classes from './Thread.module.css'

interface HeadProps {
  conversation: Conversation
  /** Id of the other member. Known only if that member has sent a message, otherwise undefined. */
  otherId: string | undefined
}

function ThreadHead({ conversation, otherId }: HeadProps) {
  const name = displayName(conversation)
  return (
    <header className={classes.head}>
      <ActionIconLink to="/messages" className={classes.back} aria-label="Back to conversations">
        <IconArrowLeft size={22} aria-hidden="true" />
      </ActionIconLink>
      <Avatar src={conversation.other_user_picture} name={name} alt="" size={40} />
      <div className={classes.who}>
        <h2 dir="auto" className={classes.name}>
          {otherId === undefined ? name : <Link to={`/sellers/${otherId}`}>{name}</Link>}
        </h2>
        <Link to={`/listing/${conversation.listing_id}`} dir="auto" className={classes.listing}>
          {conversation.listing_title}
        </Link>
      </div>
    </header>
  )
}

interface Props {
  conversation: Conversation
  /** The form for a new message. */
  children: ReactNode
}

export function Thread({ conversation, children }: Props) {
  const { user } = useAuth()
  const list = useInfiniteQuery(messagesQuery(conversation.id))
  useQuery({ ...newestMessagesQuery(conversation.id), enabled: list.isSuccess })
  const newestFirst = list.data?.items ?? []
  const otherId = newestFirst.find((message) => message.sender_id !== user?.id)?.sender_id
  useMarkRead(conversation.id, newestFirst.find((message) => !isSending(message))?.id)
  return (
    <>
      <ThreadHead conversation={conversation} otherId={otherId} />
      <Bubbles messages={newestFirst.toReversed()} older={<ListFooter list={list} label="Load earlier messages" />} />
      {children}
    </>
  )
}
