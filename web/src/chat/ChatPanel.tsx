import { IconX } from '@tabler/icons-react'
import { useEffect, useRef, useState } from 'react'
import { ActionIcon } from '../ui/controls/ActionIcon.tsx'
import { Button } from '../ui/controls/Button.tsx'
import { Composer } from './Composer.tsx'
import { Messages } from './Messages.tsx'
import { Topics } from './Topics.tsx'
import { useConversation } from './use-conversation.ts'
import classes from './ChatPanel.module.css'

function PanelFooter({ onBrowse, onEnd }: { onBrowse: (() => void) | null; onEnd: () => void }) {
  return (
    <div className={classes.foot}>
      {onBrowse !== null && (
        <Button variant="subtle" size="sm" onClick={onBrowse}>
          Browse Other Topics
        </Button>
      )}
      <Button variant="subtle" size="sm" onClick={onEnd}>
        End Conversation
      </Button>
    </div>
  )
}

/** `topics`: the user chooses a topic. `custom`: the user writes a first message. `conversation`: messages have been exchanged. */
type Mode = 'topics' | 'custom' | 'conversation'

export function ChatPanel({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) {
  const [mode, setMode] = useState<Mode>('topics')
  const conversation = useConversation()
  const panel = useRef<HTMLDialogElement>(null)
  const hasMessages = conversation.messages.length > 0
  useEffect(() => {
    if (isOpen) panel.current?.focus()
  }, [isOpen])

  function send(text: string) {
    conversation.send(text)
    setMode('conversation')
  }

  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- Escape closes the panel from every element inside it.
    <dialog
      ref={panel}
      open={isOpen}
      aria-labelledby="assistant"
      tabIndex={-1}
      className={classes.panel}
      onKeyDown={(event) => event.key === 'Escape' && onClose()}
    >
      <div className={classes.head}>
        <h2 id="assistant">Assistant</h2>
        <ActionIcon aria-label="Close assistant" size={40} onClick={onClose}>
          <IconX size={20} aria-hidden="true" />
        </ActionIcon>
      </div>
      <Messages messages={conversation.messages} isAnswering={conversation.isAnswering} />
      {mode === 'topics' && (
        <Topics
          onTopic={(topic) => {
            conversation.choose(topic)
            setMode('conversation')
          }}
          onOther={() => setMode('custom')}
        />
      )}
      {mode !== 'topics' && (
        <Composer
          isBusy={conversation.isAnswering}
          onSend={send}
          onBack={mode === 'custom' ? () => setMode('topics') : null}
        />
      )}
      {hasMessages && (
        <PanelFooter
          onBrowse={mode === 'topics' ? null : () => setMode('topics')}
          onEnd={() => {
            conversation.end()
            setMode('topics')
          }}
        />
      )}
    </dialog>
  )
}
