import { Button, Skeleton } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link, useSearchParams } from 'react-router-dom'
import { conversationsQuery } from '../../api/queries/queries.ts'
import { EmptyState } from '../../ui/feedback/EmptyState.tsx'
import { PageHeading } from '../../ui/page/PageHeading.tsx'
import { usePageHead } from '../../ui/hooks/use-page-head.ts'
import { ConversationRow } from './ConversationRow.tsx'
import { Thread } from './Thread.tsx'
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
      <p>Write to a seller from one of their listings, and your conversation shows up here.</p>
      <Button component={Link} to="/">
        Browse listings
      </Button>
    </EmptyState>
  )
}

export function MessagesPage() {
  usePageHead('Messages | Marketplace')
  const [params] = useSearchParams()
  const { data: conversations = [], isPending } = useQuery(conversationsQuery)
  const open = conversations.find((conversation) => conversation.id === params.get('conversation'))
  const isEmpty = !isPending && conversations.length === 0
  return (
    <div className={classes.page} data-open={open !== undefined || undefined}>
      <PageHeading className={classes.heading}>Messages</PageHeading>
      {isEmpty && <NoConversations />}
      {!isEmpty && (
        <div className={classes.panes}>
          <nav aria-label="Conversations" className={classes.list}>
            {isPending && <LoadingRows />}
            <ul>
              {conversations.map((conversation) => (
                <li key={conversation.id}>
                  <ConversationRow conversation={conversation} isOpen={conversation === open} />
                </li>
              ))}
            </ul>
          </nav>
          <section aria-label="Conversation" className={classes.thread}>
            {open === undefined ? (
              <EmptyState icon="messages" heading={<p>Select a conversation</p>} />
            ) : (
              <Thread key={open.id} conversation={open} />
            )}
          </section>
        </div>
      )}
    </div>
  )
}
