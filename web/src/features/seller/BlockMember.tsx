import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import { useSingleMutation } from '../../api/client/use-single-mutation.ts'
import { blockedMembersQuery, unblockMember } from '../../api/queries/members.ts'
import { Button } from '../../ui/controls/Button.tsx'
import { Alert } from '../../ui/feedback/Alert.tsx'
import { useFocusHeading } from '../../ui/hooks/use-restore-focus.ts'
import { BusyButton } from '../../ui/inputs/BusyButton.tsx'
import classes from './SellerPage.module.css'

const BlockDialog = lazy(async () => ({ default: (await import('./BlockDialog.tsx')).BlockDialog }))

function Block({ onClick }: { onClick: () => void }) {
  useFocusHeading()
  return (
    <Button variant="default" size="sm" onClick={onClick}>
      Block
    </Button>
  )
}

function Unblock({ id }: { id: string }) {
  useFocusHeading()
  const queryClient = useQueryClient()
  const unblock = useSingleMutation({
    mutationFn: () => unblockMember(id),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: blockedMembersQuery.queryKey }),
    meta: { failure: 'Failed to unblock:' },
  })
  return (
    <>
      <p>You blocked this member.</p>
      <BusyButton variant="default" size="sm" isBusy={unblock.isPending} onClick={() => unblock.mutate()}>
        Unblock
      </BusyButton>
      <Alert
        message={unblock.error && 'The member could not be unblocked. Please try again.'}
        onDismiss={() => unblock.reset()}
      />
    </>
  )
}

/**
 * Lets the user block or unblock a member. Only the most recently blocked members are loaded, so an earlier block might
 * not be shown.
 */
export function BlockMember({ id, name }: { id: string; name: string }) {
  const blocks = useInfiniteQuery(blockedMembersQuery)
  const [isOpen, setIsOpen] = useState(false)
  const isBlocked = blocks.data?.items.some((member) => member.id === id) === true
  return (
    <div className={classes.block}>
      {isBlocked ? <Unblock id={id} /> : <Block onClick={() => setIsOpen(true)} />}
      <Suspense>
        {isOpen && (
          <BlockDialog id={id} name={name} onClose={() => setIsOpen(false)} onBlocked={() => setIsOpen(false)} />
        )}
      </Suspense>
    </div>
  )
}
