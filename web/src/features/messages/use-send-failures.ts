import { useState } from 'react'
import type { Conversation } from '../../api/client/types.ts'

interface SendFailure {
  conversation: Conversation
  message: string
}

export interface SendFailures {
  /** At most one per conversation. */
  all: SendFailure[]
  set: (conversation: Conversation, message: string | null) => void
}

/**
 * The errors of messages that were not sent. They belong to the page, because the user may have left a conversation
 * before its message fails.
 */
export function useSendFailures(): SendFailures {
  const [all, setAll] = useState<SendFailure[]>([])
  return {
    all,
    set: (conversation, message) =>
      setAll((previous) => {
        const others = previous.filter((failure) => failure.conversation.id !== conversation.id)
        return message === null ? others : [...others, { conversation, message }]
      }),
  }
}
