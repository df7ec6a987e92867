import { useState, type SubmitEvent } from 'react'
import { responseBody, api } from '../../../api/client/client.ts'
import { ApiError, errorText, isSignedOut } from '../../../api/client/http.ts'
import { withIdempotencyKey } from '../../../api/client/with-idempotency-key.ts'
import type { ListingDetail } from '../../../api/client/types.ts'
import { useSingleMutation } from '../../../api/client/use-single-mutation.ts'
import { countCharacters, truncate } from '../../../rules/text.ts'
import { useDraft } from '../../../session/use-draft.ts'
import { useOpenSignIn } from '../../../session/use-open-sign-in.ts'
import { Button } from '../../../ui/controls/Button.tsx'
import { Textarea } from '../../../ui/controls/Textarea.tsx'
import { Alert } from '../../../ui/feedback/Alert.tsx'
import { afterPress } from '../../../ui/inputs/after-press.ts'
import classes from './MessageSeller.module.css'

const maxLength = 1000

export function MessageForm({ listing, onSent }: { listing: ListingDetail; onSent: () => void }) {
  const openSignIn = useOpenSignIn()
  const [text, setText] = useDraft(`message:${listing.id}`)
  const [isValidated, setIsValidated] = useState(false)
  const message = useSingleMutation({
    mutationFn: () =>
      withIdempotencyKey('/api/conversations', { listing_id: listing.id, message_text: text.trim() }, (body, headers) =>
        responseBody(api.POST('/api/conversations', { body, headers })),
      ),
    onSuccess: () => {
      setText('')
      onSent()
    },
    onError: (error) => {
      if (isSignedOut(error)) openSignIn()
    },
    meta: { failure: 'Failed to send message:' },
  })
  // A network failure is logged but not shown. The form keeps the text, so that the user can try again.
  const failure = message.error instanceof ApiError ? errorText(message.error, 'Failed to send message') : null

  function send(event: SubmitEvent<HTMLFormElement>) {
    event.preventDefault()
    setIsValidated(true)
    if (text.trim() !== '' && !message.isPending) message.mutate()
  }

  return (
    <form noValidate className={classes.form} onSubmit={send}>
      <p className={classes.about}>
        About: <bdi>{listing.title}</bdi>
      </p>
      <Textarea
        label="Your message"
        required
        rows={4}
        data-autofocus
        placeholder="Ask about condition, pickup or shipping"
        value={text}
        error={isValidated && text.trim() === '' && 'Enter a message.'}
        onBlur={() => afterPress(() => setIsValidated(true))}
        onChange={(event) => setText(truncate(event.currentTarget.value, maxLength))}
      />
      <p className={classes.counter}>
        {countCharacters(text)}/{maxLength} characters
      </p>
      <Alert message={failure} onDismiss={() => message.reset()} />
      <Button type="submit" size="lg" fullWidth disabled={text.trim() === ''} loading={message.isPending}>
        Send Message
      </Button>
    </form>
  )
}
