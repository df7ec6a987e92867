import { lazy, Suspense, useState } from 'react'
import type { ListingDetail } from '../../../api/client/types.ts'
import { Button } from '../../../ui/controls/Button.tsx'

const OfferDialog = lazy(async () => ({ default: (await import('../../../offers/OfferDialog.tsx')).OfferDialog }))

export function MakeOffer({ listing, onSent }: { listing: ListingDetail; onSent: () => void }) {
  const [isOpen, setIsOpen] = useState(false)
  const close = () => setIsOpen(false)
  return (
    <>
      <Button fullWidth size="lg" variant="default" onClick={() => setIsOpen(true)}>
        Make Offer
      </Button>
      <Suspense>
        {isOpen && (
          <OfferDialog
            listing={listing}
            onClose={close}
            onSent={() => {
              close()
              onSent()
            }}
          />
        )}
      </Suspense>
    </>
  )
}
