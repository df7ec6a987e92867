import { Loader } from '@mantine/core'
import { Navigate, Outlet } from 'react-router-dom'
import { SignInRequiredContext, useAuth } from './use-auth.ts'
import classes from './RequireSignIn.module.css'

function Page() {
  return (
    <SignInRequiredContext value>
      <Outlet />
    </SignInRequiredContext>
  )
}

/**
 * Layout route of the pages that need a session. Until the session is known, a loader is shown and no request is sent. With
 * `showWhilePending` the page itself is shown, but inert: for a page that initially looks the same for every user.
 */
export function RequireSignIn({ showWhilePending = false }: { showWhilePending?: boolean }) {
  const { user, isPending } = useAuth()
  if (showWhilePending && (isPending || user)) {
    return (
      <div inert={isPending}>
        <Page />
      </div>
    )
  }
  if (isPending) {
    return (
      <output className={classes.waiting}>
        <Loader aria-label="Checking your session" color="var(--accent)" />
      </output>
    )
  }
  return user ? <Page /> : <Navigate to="/sign-in" replace />
}
