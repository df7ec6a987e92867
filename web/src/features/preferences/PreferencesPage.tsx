import { useEffect } from 'react'
import { useNavigate } from 'react-router-dom'
import { useAuth } from '../../session/use-auth.ts'
import { PageHeading } from '../../ui/page/PageHeading.tsx'
import { usePageHead } from '../../ui/hooks/use-page-head.ts'
import { ContinueButton } from './ContinueButton.tsx'
import { PreferencesForm } from './PreferencesForm.tsx'
import classes from './PreferencesPage.module.css'

const signedOutAfterMs = 1_000

/**
 * Redirects a signed-out visitor to the sign-in page after a second. Until then, the page tells the visitor to sign in.
 */
function useRedirectSignedOut(isSignedOut: boolean) {
  const navigate = useNavigate()
  useEffect(() => {
    if (!isSignedOut) return undefined
    const timer = window.setTimeout(() => void navigate('/sign-in', { replace: true }), signedOutAfterMs)
    return () => window.clearTimeout(timer)
  }, [isSignedOut, navigate])
}

export function PreferencesPage() {
  usePageHead('Notification preferences | Marketplace')
  const { user, isPending } = useAuth()
  const isSignedOut = user === null && !isPending
  useRedirectSignedOut(isSignedOut)
  return (
    <div className={classes.page}>
      <section className={classes.panel} aria-labelledby="preferences">
        <div className={classes.head}>
          <PageHeading id="preferences">Notification Preferences</PageHeading>
          <p>{isSignedOut ? 'Sign in to choose what we notify you about.' : 'Choose what we notify you about.'}</p>
        </div>
        {user === null ? (
          <div className={classes.waiting} />
        ) : (
          <>
            <ContinueButton />
            <PreferencesForm />
          </>
        )}
      </section>
    </div>
  )
}
