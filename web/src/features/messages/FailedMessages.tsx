import { Alert } from '../../ui/feedback/Alert.tsx'
import { displayName } from './display-name.ts'
import type { SendFailures } from './use-send-failures.ts'
import classes from './MessagesPage.module.css'

interface Props {
  failures: SendFailures
  /** Id of the open conversation, which shows its error itself. */
  openId: string | undefined
}

/** The errors of messages to conversations that are not open. */
export function FailedMessages({ failures, openId }: Props) {
  const shown = failures.all.filter(({ conversation }) => conversation.id !== openId)
  if (shown.length === 0) return null
  return (
    <div className={classes.failures}>
      {shown.map(({ conversation, message }) => (
        <Alert
          key={conversation.id}
          message={`Message to ${displayName(conversation)} about ${conversation.listing_title}: ${message}`}
          onDismiss={() => failures.set(conversation, null)}
        />
      ))}
    </div>
  )
}
