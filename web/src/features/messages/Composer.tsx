import { ActionIcon, Textarea } from '@mantine/core'
import { IconSend2 } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { useRef, type KeyboardEvent } from 'react'
import { answer, api } from '../../api/client.ts'
import { errorText } from '../../api/http.ts'
import { sendOnce } from '../../api/send-once.ts'
import { conversationsQuery, messagesQuery } from '../../api/queries.ts'
import { useSingleMutation } from '../../api/use-single-mutation.ts'
import { useAuth } from '../../session/use-auth.ts'
import { useDraft } from '../../session/use-draft.ts'
import { Alert } from '../../ui/Alert.tsx'
import { limited } from '../../ui/limited.ts'
import { isSending, messageBeingSent } from './sending.ts'
import classes from './Composer.module.css'

const most = 1000

/** The message stands in its thread at once; it goes from there, back into the field, when the server did not take it. */
function useSendMessage(conversationId: string) {
  const { user } = useAuth()
  const queryClient = useQueryClient()
  const { queryKey } = messagesQuery(conversationId)
  return useSingleMutation({
    mutationFn: (text: string) =>
      sendOnce('/api/messages', { conversation_id: conversationId, message_text: text }, (body, headers) =>
        answer(api.POST('/api/messages', { body, headers })),
      ),
    onMutate: async (text) => {
      await queryClient.cancelQueries({ queryKey })
      queryClient.setQueryData(queryKey, (known = []) => [...known, messageBeingSent(user?.id ?? '', text)])
    },
    onSuccess: (sent) =>
      queryClient.setQueryData(queryKey, (known = []) => known.map((one) => (isSending(one) ? sent : one))),
    onError: () => queryClient.setQueryData(queryKey, (known = []) => known.filter((one) => !isSending(one))),
    onSettled: () => {
      void queryClient.invalidateQueries({ queryKey })
      void queryClient.invalidateQueries({ queryKey: conversationsQuery.queryKey })
    },
    meta: { failure: 'Failed to send message:' },
  })
}

export function Composer({ conversationId }: { conversationId: string }) {
  const [text, setText] = useDraft(`reply:${conversationId}`)
  const field = useRef<HTMLTextAreaElement>(null)
  const message = useSendMessage(conversationId)
  const limit = limited({ name: 'Message', text, most })
  const canSend = text.trim() !== '' && !message.isPending

  function send() {
    if (limit.error) field.current?.focus()
    if (!canSend || limit.error) return
    setText('')
    message.mutate(text.trim(), { onError: () => setText((typedSince) => typedSince || text) })
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
      <Alert
        message={message.error && errorText(message.error, 'Failed to send message')}
        onDismiss={() => message.reset()}
      />
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
