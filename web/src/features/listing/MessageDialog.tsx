import type { ListingDetail } from '../../api/types.ts'
import { Dialog } from '../../ui/Dialog.tsx'
import { MessageForm } from './MessageForm.tsx'

export function MessageDialog({ listing, onClose }: { listing: ListingDetail; onClose: () => void }) {
  return (
    <Dialog opened onClose={onClose} title="Message Seller">
      <MessageForm listing={listing} onSent={onClose} />
    </Dialog>
  )
}
