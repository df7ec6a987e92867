import { logFailure } from '../api/client/log-failure.ts'
import type { User } from '../api/client/types.ts'

// The running request for the signed-in user, which concurrent calls share. Null if no request is running.
let pendingUser: Promise<User | null> | null = null

// Do not change the log messages in this file: the product specification prescribes them.
async function loadUser(): Promise<User | null> {
  const response = await fetch('/api/users/me')
  if (response.ok) return response.json()
  logFailure(`Failed to fetch user: API responded with HTTP status ${response.status}`)
  return null
}

async function loadUserOrNull(): Promise<User | null> {
  try {
    return await loadUser()
  } catch (error) {
    logFailure('Failed to fetch user:', error)
    return null
  }
}

let prefetchedUser: Promise<User | null> | null = null

/** Starts fetching the user while the page's code is still loading. The first `fetchUser` call reuses this request. */
export function prefetchUser(): void {
  prefetchedUser = fetchUser()
}

/**
 * Fetches the signed-in user. Returns null if the user is signed out or the request failed. Concurrent calls share one
 * request.
 */
export function fetchUser(): Promise<User | null> {
  const prefetched = prefetchedUser
  prefetchedUser = null
  if (prefetched !== null) return prefetched
  pendingUser ??= loadUserOrNull().finally(() => {
    pendingUser = null
  })
  return pendingUser
}

/**
 * Fetches the user after a sign-in. Waits for a running request to end first, because `fetchUser` would return the
 * result of that request, which started before the sign-in.
 */
async function refetchUser(): Promise<User | null> {
  await pendingUser
  return fetchUser()
}

/**
 * Exchanges the sign-in code for a session and fetches the user. Sends `state` and `iss` if the identity provider
 * returned them.
 */
async function exchange(code: string, params: URLSearchParams): Promise<User | null> {
  const optional = [...params].filter(([name]) => name === 'state' || name === 'iss')
  const body = JSON.stringify({ code, ...Object.fromEntries(optional) })
  const response = await fetch('/api/sessions', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body,
  })
  if (!response.ok) {
    const message = `Failed to exchange code for session token: API responded with HTTP status ${response.status}`
    logFailure(message)
    throw new Error(message)
  }
  return refetchUser()
}

const exchanges = new Map<string, Promise<User | null>>()

/**
 * Exchanges the sign-in code in the query string for a session. A code can be used only once, so all calls with the
 * same code share the first exchange.
 */
export async function exchangeCode(query: string): Promise<User | null> {
  const params = new URLSearchParams(query)
  const code = params.get('code')
  if (!code) throw new Error('Cannot exchange code for session token: no code provided in the URL search params.')
  const running = exchanges.get(code) ?? exchange(code, params)
  exchanges.set(code, running)
  return running
}

export async function redirectToLogin(): Promise<void> {
  try {
    const response = await fetch('/api/oauth/google/redirect_url')
    if (!response.ok) {
      logFailure(`Failed to get login redirect URL: API responded with HTTP status ${response.status}`)
      return
    }
    const { redirectUrl }: { redirectUrl: string } = await response.json()
    window.location.assign(redirectUrl)
  } catch (error) {
    logFailure('Failed to get login redirect URL:', error)
  }
}

export async function endSession(): Promise<void> {
  try {
    const response = await fetch('/api/logout')
    if (!response.ok) throw new Error(`API responded with HTTP status ${response.status}`)
  } catch (error) {
    logFailure('Failed to logout:', error)
  }
}
