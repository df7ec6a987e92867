import { useQueryClient } from '@tanstack/react-query'
import { useCallback, useEffect, useMemo, useRef, useState, type ReactNode } from 'react'
import { onSessionLost } from '../api/http.ts'
import { privateKey } from '../api/queries.ts'
import type { User } from '../api/types.ts'
import { endSession, exchangeCode, fetchUser, redirectToLogin } from './session.ts'
import { AuthContext, type Auth } from './use-auth.ts'

type State = { user: User | null; isPending: boolean }

export function AuthProvider({ children }: { children: ReactNode }) {
  const [state, setState] = useState<State>({ user: null, isPending: true })
  const queryClient = useQueryClient()
  const signOuts = useRef(0)

  /** Takes over the user a call brings, unless someone signed out while it ran. */
  const adopt = useCallback(async (call: Promise<User | null>) => {
    const before = signOuts.current
    const user = await call
    if (signOuts.current === before) setState({ user, isPending: false })
  }, [])

  const forget = useCallback(() => {
    signOuts.current++
    setState({ user: null, isPending: false })
    queryClient.removeQueries({ queryKey: [privateKey] })
  }, [queryClient])

  useEffect(() => {
    void adopt(fetchUser())
    return onSessionLost(forget)
  }, [adopt, forget])

  const auth = useMemo<Auth>(
    () => ({
      ...state,
      fetchUser: () => adopt(fetchUser()),
      redirectToLogin,
      exchangeCodeForSessionToken: () => adopt(exchangeCode(window.location.search)),
      logout: () => {
        forget()
        return endSession()
      },
    }),
    [state, adopt, forget],
  )
  return <AuthContext value={auth}>{children}</AuthContext>
}
