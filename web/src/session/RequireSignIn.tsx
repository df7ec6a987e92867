import { Loader } from '@mantine/core'
import { Navigate, Outlet } from 'react-router-dom'
import { useAuth } from './use-auth.ts'
import classes from './RequireSignIn.module.css'

/**
 * Layout of the pages that need a session: nothing is shown, nor asked of the server, before it is known. A page that is the
 * same for everybody at first shows, out of use: `isSame`.
 */
export function RequireSignIn({ isSame = false }: { isSame?: boolean }) {
  const { user, isPending } = useAuth()
  if (isSame && (isPending || user)) {
    return (
      <div inert={isPending}>
        <Outlet />
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
  return user ? <Outlet /> : <Navigate to="/sign-in" replace />
}
