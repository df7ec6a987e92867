import { IconMessage2 } from '@tabler/icons-react'
import { lazy, Suspense, useState } from 'react'
import type { ListingDetail } from '../../../api/client/types.ts'
import { useAuth } from '../../../session/use-auth.ts'
import { useOpenSignIn } from '../../../session/use-open-sign-in.ts'
import { Button } from '../../../ui/controls/Button.tsx'
import { Alert } from '../../../ui/feedback/Alert.tsx'
import classes from './MessageSeller.module.css'

const MessageDialog = lazy(async () => ({ default: (await import('./MessageDialog.tsx')).MessageDialog }))

export function MessageSeller({ listing }: { listing: ListingDetail }) {
  const { user } = useAuth()
  const openSignIn = useOpenSignIn()
  const [isOpen, setIsOpen] = useState(false)
  const [isSent, setIsSent] = useState(false)
  function sent() {
    setIsOpen(false)
    setIsSent(true)
  }
  function write() {
    setIsSent(false)
    if (user !== null) setIsOpen(true)
    else openSignIn()
  }
  return (
    <>
      <Button
        className={classes.button}
        variant="default"
        leftSection={<IconMessage2 size={18} aria-hidden="true" />}
        onClick={write}
      >
        Message Seller
      </Button>
      <Alert
        isFloating
        tone="good"
        message={isSent ? 'Message sent. Look for the reply in Messages.' : null}
        onDismiss={() => setIsSent(false)}
      />
      <Suspense>
        {isOpen && <MessageDialog listing={listing} onClose={() => setIsOpen(false)} onSent={sent} />}
      </Suspense>
    </>
  )
}
