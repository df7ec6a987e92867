import type { ListingDetail } from '../../../api/client/types.ts'
import { Dialog } from '../../../ui/feedback/Dialog.tsx'
import { MessageForm } from './MessageForm.tsx'

interface Props {
  listing: ListingDetail
  onClose: () => void
  onSent: () => void
}

export function MessageDialog({ listing, onClose, onSent }: Props) {
  return (
    <Dialog opened onClose={onClose} title="Message Seller">
      <MessageForm listing={listing} onSent={onSent} />
    </Dialog>
  )
}
