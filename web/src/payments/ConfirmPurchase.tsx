import { errorText, isSignedOut } from '../api/client/http.ts'
import type { PaymentIntent } from '../api/client/types.ts'
import { useSingleMutation } from '../api/client/use-single-mutation.ts'
import { useOpenSignIn } from '../session/use-open-sign-in.ts'
import { Button } from '../ui/controls/Button.tsx'
import { Alert } from '../ui/feedback/Alert.tsx'
import { BusyButton } from '../ui/inputs/BusyButton.tsx'
import { Dialog } from '../ui/feedback/Dialog.tsx'
import { usePreview } from './amounts.ts'
import { OrderSummary } from './OrderSummary.tsx'
import classes from './payments.module.css'

export interface Order {
  title: string
  itemPrice: number
  shipping: number
  createIntent: () => Promise<PaymentIntent>
}

interface Props {
  order: Order
  onClose: () => void
  onIntent: (intent: PaymentIntent) => void
}

export function ConfirmPurchase({ order, onClose, onIntent }: Props) {
  const openSignIn = useOpenSignIn()
  const intent = useSingleMutation({
    mutationFn: order.createIntent,
    onSuccess: onIntent,
    onError: (error) => {
      if (isSignedOut(error)) openSignIn()
    },
    meta: { failure: 'Failed to initiate payment:' },
  })
  const amounts = usePreview(order)
  return (
    <Dialog opened title="Confirm Purchase" onClose={onClose}>
      <div className={classes.dialog}>
        <OrderSummary title={order.title} amounts={amounts} />
        <p className={classes.note}>Next, pay by card. We'll hold the item for 10 minutes.</p>
        <Alert
          message={intent.error && errorText(intent.error, 'Failed to initiate payment')}
          onDismiss={() => intent.reset()}
        />
        <BusyButton fullWidth size="lg" data-autofocus isBusy={intent.isPending} onClick={() => intent.mutate()}>
          Continue to Payment
        </BusyButton>
        <Button fullWidth variant="subtle" onClick={onClose}>
          Cancel
        </Button>
      </div>
    </Dialog>
  )
}
