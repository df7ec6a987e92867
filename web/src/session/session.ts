import { logFailure } from '../api/log-failure.ts'
import type { User } from '../api/types.ts'

/** The calls behind the session, apart from React. All log their failures; the texts are the specification's. */
let userFlight: Promise<User | null> | null = null

async function loadUser(): Promise<User | null> {
  const response = await fetch('/api/users/me')
  if (response.ok) return response.json()
  logFailure(`Failed to fetch user: API responded with HTTP status ${response.status}`)
  return null
}

async function loadUserOrNobody(): Promise<User | null> {
  try {
    return await loadUser()
  } catch (error) {
    logFailure('Failed to fetch user:', error)
    return null
  }
}

let earlyUser: Promise<User | null> | null = null

/** Asks beside the download of the page's code; the first that asks for the user takes the answer. */
export function fetchUserEarly(): void {
  earlyUser = fetchUser()
}

/** Callers that ask while a fetch runs share its answer. */
export function fetchUser(): Promise<User | null> {
  const asked = earlyUser
  earlyUser = null
  if (asked !== null) return asked
  userFlight ??= loadUserOrNobody().finally(() => {
    userFlight = null
  })
  return userFlight
}

/** A fetch that began before the sign-in may answer "nobody": wait for it, then ask again. */
async function fetchUserAgain(): Promise<User | null> {
  await userFlight
  return fetchUser()
}

/** `state` and `iss` are sent along where the provider gave them. */
async function exchange(code: string, params: URLSearchParams): Promise<User | null> {
  const also = [...params].filter(([name]) => name === 'state' || name === 'iss')
  const body = JSON.stringify({ code, ...Object.fromEntries(also) })
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
  return fetchUserAgain()
}

const exchanges = new Map<string, Promise<User | null>>()

/** A code works once, so every caller with the same one gets the first exchange's result. */
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
