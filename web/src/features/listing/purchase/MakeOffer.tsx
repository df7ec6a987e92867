import { lazy, Suspense, useState } from 'react'
import type { ListingDetail } from '../../../api/client/types.ts'
import { Button, type ButtonProps } from '../../../ui/controls/Button.tsx'
import { useFocusHeading } from '../../../ui/hooks/use-restore-focus.ts'

const OfferDialog = lazy(async () => ({ default: (await import('../../../offers/OfferDialog.tsx')).OfferDialog }))

function OfferButton(button: ButtonProps) {
  useFocusHeading()
  return <Button fullWidth size="lg" variant="default" {...button} />
}

interface Props {
  listing: ListingDetail
  canOffer: boolean
  onSent: () => void
}

/**
 * The button for making an offer. The open dialog stays open until the user closes it, even if the listing no longer
 * accepts offers, so that it keeps the typed text and can show the server's error.
 */
export function MakeOffer({ listing, canOffer, onSent }: Props) {
  const [isOpen, setIsOpen] = useState(false)
  const close = () => setIsOpen(false)
  return (
    <>
      {canOffer && <OfferButton onClick={() => setIsOpen(true)}>Make Offer</OfferButton>}
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
