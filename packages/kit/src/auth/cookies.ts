// Names of the session cookies, which the gateway and the users service share. On loopback, the names contain the port:
// a browser sends a cookie to all ports of a host, so two installations on one machine would otherwise overwrite each
// other's session.
export interface CookieNames {
  access: string
  refresh: string
  login: string
  /** Identifies the browser of a signed-out visitor. Used only by the gateway. */
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

/**
 * Returns the cookie names for a public origin. Outside loopback, the prefix `__Host-` prevents subdomains from setting the
 * cookies.
 */
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
