import { useQueryClient } from '@tanstack/react-query'
import { startTransition, useCallback, useEffect, useMemo, useRef, useState, type ReactNode } from 'react'
import { onSessionLost } from '../api/client/http.ts'
import { privateQueryKey } from '../api/queries/queries.ts'
import type { User } from '../api/client/types.ts'
import { clearViewedIds } from './recently-viewed.ts'
import { forgetReturnPage } from './return-page.ts'
import { endSession, exchangeCode, fetchUser, redirectToLogin } from './session.ts'
import { clearDrafts } from './use-draft.ts'
import { AuthContext, type Auth } from './use-auth.ts'

type State = Pick<Auth, 'user' | 'isPending' | 'hasExpired' | 'signOutCount'>

export function AuthProvider({ children }: { children: ReactNode }) {
  const [state, setState] = useState<State>({ user: null, isPending: true, hasExpired: false, signOutCount: 0 })
  const { signOutCount } = state
  const queryClient = useQueryClient()
  const endedSessions = useRef(0)

  /** Stores the user that `call` resolves to. Does nothing if the session ended while the call was running. */
  const applyUser = useCallback(async (call: Promise<User | null>) => {
    const before = endedSessions.current
    const user = await call
    if (endedSessions.current !== before) return
    // A transition keeps the page responsive, because dozens of watch toggles appear once the user is known.
    startTransition(() => setState((previous) => ({ ...previous, user, isPending: false, hasExpired: false })))
  }, [])

  const clearUser = useCallback(
    (reason: 'expired' | 'signed-out') => {
      endedSessions.current++
      setState((previous) => {
        const hasExpired = reason === 'expired' && (previous.hasExpired || previous.user !== null)
        const count = previous.signOutCount + (reason === 'signed-out' ? 1 : 0)
        return { user: null, isPending: false, hasExpired, signOutCount: count }
      })
      queryClient.removeQueries({ queryKey: [privateQueryKey] })
    },
    [queryClient],
  )

  useEffect(() => {
    void applyUser(fetchUser())
    return onSessionLost(() => clearUser('expired'))
  }, [applyUser, clearUser])

  useEffect(() => {
    // An effect, because RequireSignIn stores the page in an effect after the sign-out, and effects of children run first.
    if (signOutCount > 0) forgetReturnPage()
  }, [signOutCount])

  const auth = useMemo<Auth>(
    () => ({
      ...state,
      fetchUser: () => applyUser(fetchUser()),
      redirectToLogin,
      exchangeCodeForSessionToken: () => applyUser(exchangeCode(window.location.search)),
      logout: () => {
        clearUser('signed-out')
        clearDrafts()
        clearViewedIds()
        return endSession()
      },
    }),
    [state, applyUser, clearUser],
  )
  return <AuthContext value={auth}>{children}</AuthContext>
}
