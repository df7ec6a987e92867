const storageKey = 'return-page'
const siteName = / \| Marketplace$/

/** The page to which the user returns after signing in. */
export interface ReturnPage {
  /** Path and query of the page. */
  path: string
  title: string
}

function isOwnPath(path: string): boolean {
  return path.startsWith('/') && new URL(path, window.location.origin).origin === window.location.origin
}

function parse(stored: string | null): ReturnPage | null {
  const value: unknown = JSON.parse(stored ?? 'null')
  if (typeof value !== 'object' || value === null || !('path' in value) || !('title' in value)) return null
  const { path, title } = value
  return typeof path === 'string' && typeof title === 'string' && isOwnPath(path) ? { path, title } : null
}

/** Returns the page to which the user returns after signing in, or null if no page of this site is stored. */
export function readReturnPage(): ReturnPage | null {
  try {
    return parse(sessionStorage.getItem(storageKey))
  } catch {
    // Storage is disabled or the value is invalid.
    return null
  }
}

export function forgetReturnPage(): void {
  try {
    sessionStorage.removeItem(storageKey)
  } catch {
    // Storage is disabled, so there is no page to forget.
  }
}

/** Stores the page to which the user returns after signing in. The default is the open page. */
export function rememberReturnPage(page?: ReturnPage): void {
  const { pathname, search } = window.location
  const { path, title } = page ?? { path: pathname + search, title: document.title.replace(siteName, '') }
  // The home page needs no link back, because users see it after a sign-in anyway.
  if (path === '/') return forgetReturnPage()
  try {
    sessionStorage.setItem(storageKey, JSON.stringify({ path, title }))
  } catch {
    // Storage is disabled, so there is no link back after the sign-in.
  }
}
