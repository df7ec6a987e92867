import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useSearchParams } from 'react-router-dom'
import { conversationsQuery, newestConversationsQuery } from '../../api/queries/messages.ts'
import { isFirstLoad } from '../../api/queries/retry-interval.ts'
import { ButtonLink } from '../../ui/controls/Button.tsx'
import { Skeleton } from '../../ui/controls/Skeleton.tsx'
import { EmptyState } from '../../ui/feedback/EmptyState.tsx'
import { PageHeading } from '../../ui/page/PageHeading.tsx'
import { ListFooter } from '../../ui/page/ListFooter.tsx'
import { usePageHead } from '../../ui/hooks/use-page-head.ts'
import { Composer } from './Composer.tsx'
import { ConversationRow } from './ConversationRow.tsx'
import { FailedMessages } from './FailedMessages.tsx'
import { Thread } from './Thread.tsx'
import { useOpenConversation } from './use-open-conversation.ts'
import { useSendFailures } from './use-send-failures.ts'
import classes from './MessagesPage.module.css'

function LoadingRows() {
  return (
    <div className={classes.loading}>
      <Skeleton height={56} />
      <Skeleton height={56} />
      <Skeleton height={56} />
    </div>
  )
}

function NoConversations() {
  return (
    <EmptyState icon="messages" heading={<h2>No conversations yet</h2>}>
      <p>Message a seller from a listing to start a conversation.</p>
      <ButtonLink to="/">Browse listings</ButtonLink>
    </EmptyState>
  )
}

export function MessagesPage() {
  usePageHead('Messages | Marketplace')
  const [params] = useSearchParams()
  const list = useInfiniteQuery(conversationsQuery)
  useQuery({ ...newestConversationsQuery, enabled: list.isSuccess })
  const isPending = isFirstLoad(list)
  const conversations = list.data?.items ?? []
  const open = useOpenConversation(params.get('conversation'), list.data?.items)
  const failures = useSendFailures()
  const isEmpty = !isPending && conversations.length === 0
  return (
    <div className={classes.page} data-open={open !== undefined || undefined}>
      <PageHeading className={classes.heading}>Messages</PageHeading>
      {isEmpty && <NoConversations />}
      {!isEmpty && (
        <div className={classes.panes}>
          <nav aria-label="Conversations" className={classes.list}>
            <FailedMessages failures={failures} openId={open?.id} />
            {isPending && <LoadingRows />}
            <ul>
              {conversations.map((conversation) => (
                <li key={conversation.id}>
                  <ConversationRow conversation={conversation} isOpen={conversation.id === open?.id} />
                </li>
              ))}
            </ul>
            <ListFooter list={list} />
          </nav>
          <section aria-label="Conversation" className={classes.thread}>
            {open === undefined ? (
              <div className={classes.none}>
                <EmptyState icon="messages" heading={<h2>Select a conversation</h2>} />
              </div>
            ) : (
              <Thread key={open.id} conversation={open}>
                <Composer conversation={open} failures={failures} />
              </Thread>
            )}
          </section>
        </div>
      )}
    </div>
  )
}
