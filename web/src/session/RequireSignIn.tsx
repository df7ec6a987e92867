import { useEffect } from 'react'
import { matchPath, Navigate, Outlet, useLocation } from 'react-router-dom'
import { Loader } from '../ui/controls/Loader.tsx'
import { rememberReturnPage } from './return-page.ts'
import { SignInRequiredContext, useAuth } from './use-auth.ts'
import classes from './RequireSignIn.module.css'

function Page() {
  return (
    <SignInRequiredContext value>
      <Outlet />
    </SignInRequiredContext>
  )
}

const titles = new Map([
  ['/create-listing', 'Sell an item'],
  ['/my-listings', 'My Listings'],
  ['/my-bids', 'My Bids'],
  ['/offers', 'Offers'],
  ['/messages', 'Messages'],
  ['/watchlist', 'My Favorites'],
  ['/transactions', 'Transactions'],
  ['/sessions', 'Sessions'],
  ['/blocked-members', 'Blocked members'],
])

function titleOf(pathname: string): string | undefined {
  return matchPath('/listing/:id/edit', pathname) === null ? titles.get(pathname) : 'Edit listing'
}

/**
 * Stores the requested page, so that the user can return to it after signing in, and redirects to the sign-in page. The
 * stored title comes from `titleOf`, because the requested page has not set the document title yet.
 */
function RedirectToSignIn() {
  const { pathname, search } = useLocation()
  useEffect(() => {
    const title = titleOf(pathname)
    if (title !== undefined) rememberReturnPage({ path: pathname + search, title })
  }, [pathname, search])
  return <Navigate to="/sign-in" replace />
}

/**
 * Layout route for pages that require a session. With `showWhilePending`, shows the page (inert) instead of a loader
 * while the session is being checked.
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
  return user ? <Page /> : <RedirectToSignIn />
}
