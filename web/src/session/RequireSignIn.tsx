import { Navigate, Outlet } from 'react-router-dom'
import { Loader } from '../ui/controls/Loader.tsx'
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
 * Layout route of the pages that require a session. Until the session is known, it shows a loader, and the page sends no
 * request. `showWhilePending` shows the page instead of the loader. Use it for a page that initially looks the same for
 * every user; the page does not respond to input yet.
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
        <Loader aria-label="Checking your session" />
      </output>
    )
  }
  return user ? <Page /> : <Navigate to="/sign-in" replace />
}
