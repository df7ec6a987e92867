import { createContext, use } from 'react'
import type { User } from '../api/client/types.ts'

export interface Auth {
  user: User | null
  /** True until the first fetch of the user has succeeded or failed. */
  isPending: boolean
  /** True if the session ended while the user was signed in, for any reason other than signing out. */
  hasExpired: boolean
  /** How often the user has signed out since the page was loaded. */
  signOutCount: number
  fetchUser(): Promise<void>
  redirectToLogin(): Promise<void>
  exchangeCodeForSessionToken(): Promise<void>
  logout(): Promise<void>
}

export const AuthContext = createContext<Auth | null>(null)

/** True inside RequireSignIn, where components need not redirect to the sign-in page when the session ends. */
export const SignInRequiredContext = createContext(false)

export function useAuth(): Auth {
  const auth = use(AuthContext)
  if (auth === null) throw new Error('useAuth must be used within a AuthProvider')
  return auth
}
