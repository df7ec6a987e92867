import { useQueryClient } from '@tanstack/react-query'
import { errorText } from '../../api/client/http.ts'
import { useSingleMutation } from '../../api/client/use-single-mutation.ts'
import { blockedMembersQuery, blockMember } from '../../api/queries/members.ts'
import { Button } from '../../ui/controls/Button.tsx'
import { Alert } from '../../ui/feedback/Alert.tsx'
import { Dialog } from '../../ui/feedback/Dialog.tsx'
import { BusyButton } from '../../ui/inputs/BusyButton.tsx'
import classes from './SellerPage.module.css'

interface Props {
  id: string
  name: string
  onClose: () => void
  onBlocked: () => void
}

export function BlockDialog({ id, name, onClose, onBlocked }: Props) {
  const queryClient = useQueryClient()
  const block = useSingleMutation({
    mutationFn: () => blockMember(id),
    onSuccess: async () => {
      onBlocked()
      await queryClient.invalidateQueries({ queryKey: blockedMembersQuery.queryKey })
    },
    meta: { failure: 'Failed to block:' },
  })
  return (
    <Dialog opened onClose={onClose} title={`Block ${name}?`}>
      <Alert
        message={block.error && errorText(block.error, 'The member could not be blocked. Please try again.')}
        onDismiss={() => block.reset()}
      />
      <p className={classes.question}>
        They won't be able to message you, make offers, or bid on or buy your items. We won't tell them.
      </p>
      <div className={classes.choices}>
        <Button variant="default" onClick={onClose}>
          Cancel
        </Button>
        <BusyButton isBusy={block.isPending} onClick={() => block.mutate()}>
          Block
        </BusyButton>
      </div>
    </Dialog>
  )
}
