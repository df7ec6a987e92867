import { Button, Textarea } from '@mantine/core'
import type { SubmitEvent } from 'react'
import { useNavigate } from 'react-router-dom'
import { answer, api } from '../../api/client.ts'
import { ApiError, errorText, isSignedOut } from '../../api/http.ts'
import { sendOnce } from '../../api/send-once.ts'
import type { ListingDetail } from '../../api/types.ts'
import { useSingleMutation } from '../../api/use-single-mutation.ts'
import { countCharacters, fitting } from '../../rules/text.ts'
import { useDraft } from '../../session/use-draft.ts'
import { Alert } from '../../ui/Alert.tsx'
import classes from './MessageSeller.module.css'

const maxLength = 1000

export function MessageForm({ listing, onSent }: { listing: ListingDetail; onSent: () => void }) {
  const navigate = useNavigate()
  const [text, setText] = useDraft(`message:${listing.id}`)
  const message = useSingleMutation({
    mutationFn: () =>
      sendOnce('/api/conversations', { listing_id: listing.id, message_text: text.trim() }, (body, headers) =>
        answer(api.POST('/api/conversations', { body, headers })),
      ),
    onSuccess: () => {
      setText('')
      onSent()
    },
    onError: (error) => {
      if (isSignedOut(error)) void navigate('/auth/callback')
    },
    meta: { failure: 'Failed to send message:' },
  })
  // A network failure is only logged here; the text stays for another try.
  const refusal = message.error instanceof ApiError ? errorText(message.error, 'Failed to send message') : null

  function send(event: SubmitEvent<HTMLFormElement>) {
    event.preventDefault()
    if (text.trim() !== '' && !message.isPending) message.mutate()
  }

  return (
    <form noValidate className={classes.form} onSubmit={send}>
      <p className={classes.about}>
        About: <bdi>{listing.title}</bdi>
      </p>
      <Alert message={refusal} onDismiss={() => message.reset()} />
      <Textarea
        label="Your message"
        required
        rows={4}
        data-autofocus
        placeholder="Ask about the condition, pick-up or shipping"
        value={text}
        onChange={(event) => setText(fitting(event.currentTarget.value, maxLength))}
      />
      <p className={classes.counter}>
        {countCharacters(text)}/{maxLength} characters
      </p>
      <Button type="submit" disabled={text.trim() === ''} loading={message.isPending}>
        Send Message
      </Button>
    </form>
  )
}
