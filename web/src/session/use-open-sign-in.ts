import { use } from 'react'
import { useNavigate } from 'react-router-dom'
import { rememberReturnPage } from './return-page.ts'
import { SignInRequiredContext } from './use-auth.ts'

/**
 * Returns a function for a user who has to sign in to go on: it stores the open page, so that the user can return to it,
 * and opens the callback page, which leads to the sign-in page. It does nothing on pages that require a session, because
 * RequireSignIn does the same there.
 */
export function useOpenSignIn(): () => void {
  const isSignInRequired = use(SignInRequiredContext)
  const navigate = useNavigate()
  return () => {
    if (isSignInRequired) return
    rememberReturnPage()
    void navigate('/auth/callback')
  }
}
