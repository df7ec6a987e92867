import { useEffect } from 'react'
import { Navigate, Outlet, useLocation } from 'react-router-dom'
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

/** Redirects to the sign-in page and stores the required page, whose title is not in the document yet. */
function RedirectToSignIn() {
  const { pathname, search } = useLocation()
  useEffect(() => {
    const title = titles.get(pathname)
    if (title !== undefined) rememberReturnPage({ path: pathname + search, title })
  }, [pathname, search])
  return <Navigate to="/sign-in" replace />
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
  return user ? <Page /> : <RedirectToSignIn />
}
