import { IconSend2 } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { useRef, type KeyboardEvent } from 'react'
import { responseBody, api } from '../../api/client/client.ts'
import { errorText } from '../../api/client/http.ts'
import { withIdempotencyKey } from '../../api/client/with-idempotency-key.ts'
import type { Conversation } from '../../api/client/types.ts'
import { messagesQuery, newestConversationsQuery, newestMessagesQuery } from '../../api/queries/messages.ts'
import { mapPages } from '../../api/queries/paged.ts'
import { useSingleMutation } from '../../api/client/use-single-mutation.ts'
import { useAuth } from '../../session/use-auth.ts'
import { useDraft } from '../../session/use-draft.ts'
import { ActionIcon } from '../../ui/controls/ActionIcon.tsx'
import { Textarea } from '../../ui/controls/Textarea.tsx'
import { Alert } from '../../ui/feedback/Alert.tsx'
import { characterLimit } from '../../ui/inputs/character-limit.ts'
import { isSending, pendingMessage } from './pending-message.ts'
import type { SendFailures } from './use-send-failures.ts'
import classes from './Composer.module.css'

const maxLength = 1000

function alreadyLogged() {}

interface Sending {
  restore: (text: string) => void
  setFailure: (message: string | null) => void
}

/**
 * Sends a message. The message appears in the thread at once. If the request fails, the message is removed, and
 * `restore` is called with its text and `setFailure` with the error, even if the composer was closed meanwhile.
 */
function useSendMessage(conversationId: string, { restore, setFailure }: Sending) {
  const { user } = useAuth()
  const queryClient = useQueryClient()
  const { queryKey } = messagesQuery(conversationId)
  return useSingleMutation({
    mutationFn: (text: string) =>
      withIdempotencyKey('/api/messages', { conversation_id: conversationId, message_text: text }, (body, headers) =>
        responseBody(api.POST('/api/messages', { body, headers })),
      ),
    onMutate: async (text) => {
      setFailure(null)
      // The first load of the thread is not canceled, because nothing would start it again.
      if (queryClient.getQueryData(queryKey) !== undefined) await queryClient.cancelQueries({ queryKey })
      const pending = pendingMessage(user?.id ?? '', text)
      queryClient.setQueryData(queryKey, (cached) =>
        mapPages(cached, (newestFirst, page) => (page === 0 ? [pending, ...newestFirst] : newestFirst)),
      )
    },
    onSuccess: (sent) =>
      queryClient.setQueryData(queryKey, (cached) =>
        mapPages(cached, (messages) => messages.map((message) => (isSending(message) ? sent : message))),
      ),
    onError: (error, text) => {
      restore(text)
      setFailure(errorText(error, 'Failed to send message'))
      queryClient.setQueryData(queryKey, (cached) =>
        mapPages(cached, (messages) => messages.filter((message) => !isSending(message))),
      )
    },
    onSettled: () => {
      queryClient.query({ ...newestMessagesQuery(conversationId), staleTime: 0 }).catch(alreadyLogged)
      queryClient.query({ ...newestConversationsQuery, staleTime: 0 }).catch(alreadyLogged)
    },
    meta: { failure: 'Failed to send message:' },
  })
}

interface Props {
  conversation: Conversation
  failures: SendFailures
}

export function Composer({ conversation, failures }: Props) {
  const [text, setText] = useDraft(`reply:${conversation.id}`)
  const field = useRef<HTMLTextAreaElement>(null)
  const failure = failures.all.find((one) => one.conversation.id === conversation.id)?.message ?? null
  const setFailure = (error: string | null) => failures.set(conversation, error)
  const message = useSendMessage(conversation.id, {
    restore: (unsent) => setText((typedSince) => (typedSince === '' ? unsent : `${unsent}\n${typedSince}`)),
    setFailure,
  })
  const limit = characterLimit({ name: 'Message', text, max: maxLength })
  const canSend = text.trim() !== '' && !message.isPending

  function send() {
    if (limit.error) field.current?.focus()
    if (!canSend || limit.error) return
    setText('')
    message.mutate(text.trim())
  }

  function sendByEnter(event: KeyboardEvent) {
    if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return
    event.preventDefault()
    send()
  }

  return (
    <form
      data-bottom-bar
      className={classes.composer}
      onSubmit={(event) => {
        event.preventDefault()
        send()
      }}
    >
      <Alert message={failure} onDismiss={() => setFailure(null)} />
      <div className={classes.row}>
        <Textarea
          {...limit}
          ref={field}
          className={classes.text}
          aria-label="Message"
          rows={1}
          placeholder="Write a message"
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
          onKeyDown={sendByEnter}
        />
        <ActionIcon type="submit" className={classes.send} aria-label="Send message" disabled={!canSend}>
          <IconSend2 size={22} aria-hidden="true" />
        </ActionIcon>
      </div>
    </form>
  )
}
