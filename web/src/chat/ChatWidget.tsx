import { IconMessageChatbot } from '@tabler/icons-react'
import { lazy, Suspense, useEffect, useRef, useState } from 'react'
import { useAuth } from '../session/use-auth.ts'
import { LoadBoundary } from '../ui/feedback/LoadBoundary.tsx'
import { useButtonPlace } from './use-button-place.ts'
import classes from './ChatWidget.module.css'

const ChatPanel = lazy(async () => ({ default: (await import('./ChatPanel.tsx')).ChatPanel }))

interface Props {
  isOpen: boolean
  setIsOpen: (isOpen: boolean) => void
}

/**
 * The button on every page that opens the help chat. The panel's code is loaded when the panel is first opened. The
 * conversation is kept while the panel is closed, and deleted when the user signs out.
 */
export function ChatWidget({ isOpen, setIsOpen }: Props) {
  const { signOutCount } = useAuth()
  const [wasOpened, setWasOpened] = useState(false)
  const widget = useRef<HTMLDivElement>(null)
  const button = useRef<HTMLButtonElement>(null)
  const isConcealed = useButtonPlace(widget)
  if (isOpen && !wasOpened) setWasOpened(true)
  useEffect(() => {
    if (wasOpened && !isOpen) button.current?.focus()
  }, [isOpen, wasOpened])
  return (
    <div ref={widget} className={classes.widget} data-hidden={isConcealed || undefined}>
      <button
        ref={button}
        type="button"
        className={classes.button}
        aria-label="Help chat"
        aria-expanded={isOpen}
        onClick={() => setIsOpen(!isOpen)}
      >
        <IconMessageChatbot size={26} stroke={1.6} aria-hidden="true" />
      </button>
      <LoadBoundary fallback={null}>
        <Suspense>
          {wasOpened && <ChatPanel key={signOutCount} isOpen={isOpen} onClose={() => setIsOpen(false)} />}
        </Suspense>
      </LoadBoundary>
    </div>
  )
}
