import { ActionIcon, Textarea } from '@mantine/core'
import { IconSend2 } from '@tabler/icons-react'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState, type KeyboardEvent } from 'react'
import { answer, api } from '../../api/client.ts'
import { errorText } from '../../api/http.ts'
import { conversationsQuery, messagesQuery } from '../../api/queries.ts'
import { Alert } from '../../ui/Alert.tsx'
import classes from './Composer.module.css'

function useSendMessage(conversationId: string) {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: (text: string) =>
      answer(api.POST('/api/messages', { body: { conversation_id: conversationId, message_text: text } })),
    // Not waited for: the field is empty as soon as the message is sent.
    onSuccess: () => {
      void queryClient.invalidateQueries({ queryKey: messagesQuery(conversationId).queryKey })
      void queryClient.invalidateQueries({ queryKey: conversationsQuery.queryKey })
    },
    meta: { failure: 'Failed to send message:' },
  })
}

export function Composer({ conversationId }: { conversationId: string }) {
  const [text, setText] = useState('')
  const message = useSendMessage(conversationId)
  const canSend = text.trim() !== '' && !message.isPending

  function send() {
    if (canSend) message.mutate(text.trim(), { onSuccess: () => setText('') })
  }

  function sendByEnter(event: KeyboardEvent) {
    if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return
    event.preventDefault()
    send()
  }

  return (
    <form
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
          className={classes.text}
          aria-label="Message"
          rows={1}
          maxLength={1000}
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
