import { Button, Textarea } from '@mantine/core'
import { useEffect, useRef, useState, type KeyboardEvent } from 'react'
import { BusyButton } from '../ui/BusyButton.tsx'
import { limited } from '../ui/limited.ts'
import classes from './ChatPanel.module.css'

const most = 4000

type Props = { isBusy: boolean; onSend: (text: string) => void; onBack: (() => void) | null }

export function Composer({ isBusy, onSend, onBack }: Props) {
  const [text, setText] = useState('')
  const field = useRef<HTMLTextAreaElement>(null)
  const limit = limited({ name: 'Question', text, most })
  useEffect(() => field.current?.focus(), [])

  function send() {
    if (limit.error) field.current?.focus()
    if (text.trim() === '' || limit.error || isBusy) return
    onSend(text)
    setText('')
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
      <Textarea
        {...limit}
        ref={field}
        aria-label="Your question"
        rows={2}
        placeholder="Write your question"
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
        onKeyDown={sendByEnter}
      />
      <div className={classes.buttons}>
        <BusyButton type="submit" size="sm" isBusy={isBusy}>
          Send Message
        </BusyButton>
        {onBack !== null && (
          <Button variant="subtle" size="sm" onClick={onBack}>
            Back
          </Button>
        )}
      </div>
    </form>
  )
}
