import { useEffect, useRef, useState, type KeyboardEvent } from 'react'
import { Button } from '../ui/controls/Button.tsx'
import { Textarea } from '../ui/controls/Textarea.tsx'
import { BusyButton } from '../ui/inputs/BusyButton.tsx'
import { characterLimit } from '../ui/inputs/character-limit.ts'
import classes from './ChatPanel.module.css'

const maxLength = 4000

interface Props {
  isBusy: boolean
  onSend: (text: string) => void
  onBack: (() => void) | null
}

export function Composer({ isBusy, onSend, onBack }: Props) {
  const [text, setText] = useState('')
  const field = useRef<HTMLTextAreaElement>(null)
  const limit = characterLimit({ name: 'Question', text, max: maxLength })
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
