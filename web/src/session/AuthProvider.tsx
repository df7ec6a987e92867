import { useQueryClient } from '@tanstack/react-query'
import { startTransition, useCallback, useEffect, useMemo, useRef, useState, type ReactNode } from 'react'
import { onSessionLost } from '../api/client/http.ts'
import { privateQueryKey } from '../api/queries/queries.ts'
import type { User } from '../api/client/types.ts'
import { clearViewedIds } from './recently-viewed.ts'
import { endSession, exchangeCode, fetchUser, redirectToLogin } from './session.ts'
import { clearDrafts } from './use-draft.ts'
import { AuthContext, type Auth } from './use-auth.ts'

type State = Pick<Auth, 'user' | 'isPending' | 'hasExpired'>

export function AuthProvider({ children }: { children: ReactNode }) {
  const [state, setState] = useState<State>({ user: null, isPending: true, hasExpired: false })
  const queryClient = useQueryClient()
  const signOuts = useRef(0)

  /** Stores the user that `call` resolves to. Does nothing if the user signed out while the call was running. */
  const applyUser = useCallback(async (call: Promise<User | null>) => {
    const before = signOuts.current
    const user = await call
    if (signOuts.current !== before) return
    // A transition keeps the page responsive, because dozens of watch toggles appear once the user is known.
    startTransition(() => setState({ user, isPending: false, hasExpired: false }))
  }, [])

  const clearUser = useCallback(
    (reason: 'expired' | 'signed-out') => {
      signOuts.current++
      setState((previous) => {
        const hasExpired = reason === 'expired' && (previous.hasExpired || previous.user !== null)
        return { user: null, isPending: false, hasExpired }
      })
      queryClient.removeQueries({ queryKey: [privateQueryKey] })
    },
    [queryClient],
  )

  useEffect(() => {
    void applyUser(fetchUser())
    return onSessionLost(() => clearUser('expired'))
  }, [applyUser, clearUser])

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
