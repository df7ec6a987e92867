import { createContext, use } from 'react'
import type { User } from '../api/types.ts'

export type Auth = {
  user: User | null
  /** True until the first fetch of the user settled, whichever way. */
  isPending: boolean
  /** The session ended by itself, in the middle of something. */
  wasLost: boolean
  fetchUser(): Promise<void>
  redirectToLogin(): Promise<void>
  exchangeCodeForSessionToken(): Promise<void>
  logout(): Promise<void>
}

export const AuthContext = createContext<Auth | null>(null)

export function useAuth(): Auth {
  const auth = use(AuthContext)
  if (auth === null) throw new Error('useAuth must be used within a AuthProvider')
  return auth
}
