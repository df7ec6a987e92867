import { Loader } from '@mantine/core'
import { Navigate, Outlet } from 'react-router-dom'
import { useAuth } from './use-auth.ts'
import classes from './RequireSignIn.module.css'

/** Layout of the pages that need a session: nothing is shown, nor asked of the server, before it is known. */
export function RequireSignIn() {
  const { user, isPending } = useAuth()
  if (isPending) {
    return (
      <div className={classes.waiting} role="status">
        <Loader aria-label="Checking your session" color="var(--accent)" />
      </div>
    )
  }
  return user ? <Outlet /> : <Navigate to="/sign-in" replace />
}
