import { Button } from '@mantine/core'
import { IconMessage2 } from '@tabler/icons-react'
import { useState } from 'react'
import { useNavigate } from 'react-router-dom'
import type { ListingDetail } from '../../api/types.ts'
import { useAuth } from '../../session/use-auth.ts'
import { Dialog } from '../../ui/Dialog.tsx'
import { MessageForm } from './MessageForm.tsx'
import classes from './MessageSeller.module.css'

export function MessageSeller({ listing }: { listing: ListingDetail }) {
  const { user } = useAuth()
  const navigate = useNavigate()
  const [isOpen, setIsOpen] = useState(false)
  const close = () => setIsOpen(false)
  function write() {
    if (user !== null) setIsOpen(true)
    else void navigate('/auth/callback')
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
      <Dialog opened={isOpen} onClose={close} title="Message Seller">
        <MessageForm listing={listing} onSent={close} />
      </Dialog>
    </>
  )
}
