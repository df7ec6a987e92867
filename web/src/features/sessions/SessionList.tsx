import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useSingleMutation } from '../../api/client/use-single-mutation.ts'
import { isFirstLoad } from '../../api/queries/retry-interval.ts'
import { endOtherSessions, endSession, sessionsQuery } from '../../api/queries/sessions.ts'
import { Skeleton } from '../../ui/controls/Skeleton.tsx'
import { Alert } from '../../ui/feedback/Alert.tsx'
import { EmptyState } from '../../ui/feedback/EmptyState.tsx'
import { useFocusHeading } from '../../ui/hooks/use-restore-focus.ts'
import { BusyButton } from '../../ui/inputs/BusyButton.tsx'
import { SessionRow } from './SessionRow.tsx'
import classes from './SessionsPage.module.css'

type Target = { id: string } | 'others'

function useEndSessions(onEnded: (target: Target) => void) {
  const queryClient = useQueryClient()
  return useSingleMutation({
    mutationFn: (target: Target) => (target === 'others' ? endOtherSessions() : endSession(target.id)),
    onSuccess: async (_ended, target) => {
      onEnded(target)
      await queryClient.invalidateQueries({ queryKey: sessionsQuery.queryKey })
    },
    meta: { failure: 'Failed to end a session:' },
  })
}

function LoadFailed() {
  return (
    <EmptyState icon="cloud" heading={<h2>Your sessions could not be loaded</h2>}>
      <p>We will keep trying. You can also reload the page.</p>
    </EmptyState>
  )
}

function EndOthers({ isBusy, onClick }: { isBusy: boolean; onClick: () => void }) {
  useFocusHeading()
  return (
    <BusyButton className={classes.endOthers} isBusy={isBusy} onClick={onClick}>
      End all other sessions
    </BusyButton>
  )
}

export function SessionList() {
  const list = useQuery(sessionsQuery)
  const [ended, setEnded] = useState<string | null>(null)
  const end = useEndSessions((target) =>
    setEnded(target === 'others' ? 'All other sessions have ended.' : 'The session has ended.'),
  )
  const sessions = list.data
  if (sessions === undefined)
    return isFirstLoad(list) ? <Skeleton height={176} className={classes.loading} /> : <LoadFailed />
  const others = sessions.filter((session) => !session.is_current)
  const isEnding = (id: string) => end.isPending && end.variables !== 'others' && end.variables.id === id
  return (
    <>
      <Alert tone="good" message={ended} onDismiss={() => setEnded(null)} />
      <Alert message={end.error && 'The session could not be ended. Please try again.'} onDismiss={() => end.reset()} />
      <ul>
        {sessions.map((session) => (
          <li key={session.id}>
            <SessionRow
              session={session}
              isEnding={isEnding(session.id)}
              onEnd={() => {
                setEnded(null)
                end.mutate({ id: session.id })
              }}
            />
          </li>
        ))}
      </ul>
      {others.length === 0 ? (
        <p className={classes.none}>You are not signed in anywhere else.</p>
      ) : (
        <EndOthers
          isBusy={end.isPending && end.variables === 'others'}
          onClick={() => {
            setEnded(null)
            end.mutate('others')
          }}
        />
      )}
    </>
  )
}
