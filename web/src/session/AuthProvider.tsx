import { useQueryClient } from '@tanstack/react-query'
import { startTransition, useCallback, useEffect, useMemo, useRef, useState, type ReactNode } from 'react'
import { onSessionLost } from '../api/http.ts'
import { privateKey } from '../api/queries.ts'
import type { User } from '../api/types.ts'
import { endSession, exchangeCode, fetchUser, redirectToLogin } from './session.ts'
import { forgetDrafts } from './use-draft.ts'
import { AuthContext, type Auth } from './use-auth.ts'

type State = Pick<Auth, 'user' | 'isPending' | 'wasLost'>

export function AuthProvider({ children }: { children: ReactNode }) {
  const [state, setState] = useState<State>({ user: null, isPending: true, wasLost: false })
  const queryClient = useQueryClient()
  const signOuts = useRef(0)

  /** Takes over the user a call brings, unless someone signed out while it ran. */
  const adopt = useCallback(async (call: Promise<User | null>) => {
    const before = signOuts.current
    const user = await call
    if (signOuts.current !== before) return
    // A transition: dozens of hearts show then, and a page that is still being drawn is not to be drawn at once for them.
    startTransition(() => setState({ user, isPending: false, wasLost: false }))
  }, [])

  const forget = useCallback(
    (how: 'lost' | 'left') => {
      signOuts.current++
      setState((known) => {
        const wasLost = how === 'lost' && (known.wasLost || known.user !== null)
        return { user: null, isPending: false, wasLost }
      })
      queryClient.removeQueries({ queryKey: [privateKey] })
    },
    [queryClient],
  )

  useEffect(() => {
    void adopt(fetchUser())
    return onSessionLost(() => forget('lost'))
  }, [adopt, forget])

  const auth = useMemo<Auth>(
    () => ({
      ...state,
      fetchUser: () => adopt(fetchUser()),
      redirectToLogin,
      exchangeCodeForSessionToken: () => adopt(exchangeCode(window.location.search)),
      logout: () => {
        forget('left')
        forgetDrafts()
        return endSession()
      },
    }),
    [state, adopt, forget],
  )
  return <AuthContext value={auth}>{children}</AuthContext>
}
