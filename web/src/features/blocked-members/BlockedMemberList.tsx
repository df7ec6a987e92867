import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useSingleMutation } from '../../api/client/use-single-mutation.ts'
import type { BlockedMember } from '../../api/client/types.ts'
import { blockedMembersQuery, unblockMember } from '../../api/queries/members.ts'
import { isFirstLoad } from '../../api/queries/retry-interval.ts'
import { Skeleton } from '../../ui/controls/Skeleton.tsx'
import { Alert } from '../../ui/feedback/Alert.tsx'
import { EmptyState } from '../../ui/feedback/EmptyState.tsx'
import { ListFooter } from '../../ui/page/ListFooter.tsx'
import { BlockedMemberRow } from './BlockedMemberRow.tsx'
import classes from './BlockedMembersPage.module.css'

function LoadFailed() {
  return (
    <EmptyState icon="cloud" heading={<h2>Your blocked members could not be loaded</h2>}>
      <p>We will keep trying. You can also reload the page.</p>
    </EmptyState>
  )
}

export function BlockedMemberList() {
  const list = useInfiniteQuery(blockedMembersQuery)
  const queryClient = useQueryClient()
  const [unblocked, setUnblocked] = useState<string | null>(null)
  const unblock = useSingleMutation({
    mutationFn: ({ id }: BlockedMember) => unblockMember(id),
    onSuccess: async (_done, { name }) => {
      setUnblocked(name)
      await queryClient.invalidateQueries({ queryKey: blockedMembersQuery.queryKey })
    },
    meta: { failure: 'Failed to unblock:' },
  })
  const members = list.data?.items
  if (members === undefined) return isFirstLoad(list) ? <Skeleton className={classes.loading} /> : <LoadFailed />
  return (
    <>
      <Alert tone="good" message={unblocked && `${unblocked} is unblocked.`} onDismiss={() => setUnblocked(null)} />
      <Alert
        message={unblock.error && 'The member could not be unblocked. Please try again.'}
        onDismiss={() => unblock.reset()}
      />
      {members.length === 0 && <p className={classes.none}>You haven't blocked anyone.</p>}
      <ul>
        {members.map((member) => (
          <li key={member.id}>
            <BlockedMemberRow
              member={member}
              isUnblocking={unblock.isPending && unblock.variables.id === member.id}
              onUnblock={() => {
                setUnblocked(null)
                unblock.mutate(member)
              }}
            />
          </li>
        ))}
      </ul>
      <ListFooter list={list} />
    </>
  )
}
