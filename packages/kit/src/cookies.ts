// The gateway and users agree on the session's cookies here. Cookies ignore ports, so on loopback the name carries the port:
// two marketplaces on one machine must not sign each other out.
export interface CookieNames {
  access: string
  refresh: string
  login: string
  /** Which browser reads a listing while nobody is signed in: the gateway's alone. */
  viewer: string
}

export interface CookieOptions {
  path: '/'
  httpOnly: true
  sameSite: 'lax'
  secure: boolean
}

const loopback = new Set(['localhost', '127.0.0.1', '[::1]'])

export function isLoopback(origin: string): boolean {
  return loopback.has(new URL(origin).hostname)
}

/** Names of the cookies for a public origin; `__Host-` off loopback, so that no subdomain can set them. */
export function cookieNames(publicOrigin: string): CookieNames {
  const url = new URL(publicOrigin)
  const name = isLoopback(publicOrigin)
    ? (part: string) => `marketplace_${part}_${url.port || '80'}`
    : (part: string) => `__Host-${part}`
  return { access: name('access'), refresh: name('refresh'), login: name('login'), viewer: name('viewer') }
}

export function cookieOptions(publicOrigin: string): CookieOptions {
  return { path: '/', httpOnly: true, sameSite: 'lax', secure: !isLoopback(publicOrigin) }
}
