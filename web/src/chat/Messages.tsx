import { Loader } from '../ui/controls/Loader.tsx'
import { VisuallyHidden } from '../ui/controls/VisuallyHidden.tsx'
import type { ChatMessage } from './conversation.ts'
import classes from './ChatPanel.module.css'

const marginAbove = 16

/** Scrolls to the last message. A message that is longer than the panel is shown from its start. */
function showLastMessage(end: HTMLElement | null) {
  const [log, message] = [end?.parentElement, end?.previousElementSibling]
  if (!log || !message) return
  log.scrollBy({ top: message.getBoundingClientRect().top - log.getBoundingClientRect().top - marginAbove })
}

/** The messages of the conversation, rendered as plain text, never as HTML. */
export function Messages({ messages, isAnswering }: { messages: ChatMessage[]; isAnswering: boolean }) {
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- Keyboard users can scroll only a focusable element.
    <div role="log" aria-label="Conversation with the assistant" tabIndex={0} className={classes.log}>
      <p className={classes.bubble}>Hi, how can I help?</p>
      {messages.map((message) => (
        <p key={message.id} className={classes.bubble} data-own={message.sender === 'user' || undefined}>
          {message.text}
        </p>
      ))}
      {isAnswering && (
        <p className={classes.bubble}>
          <Loader type="dots" size={24} aria-hidden="true" />
          <VisuallyHidden>The assistant is writing</VisuallyHidden>
        </p>
      )}
      {/* The key changes with each new message. React then replaces the element, and its ref callback shows the last message. */}
      <div key={`${messages.at(-1)?.id} ${isAnswering}`} ref={showLastMessage} />
    </div>
  )
}
