// Maximum length of a URL: half of the limit for request line and headers together (see `httpLimits`).
const maxUrlLength = 16 * 1024

// Path characters allowed by RFC 3986, except `;`, because servers interpret path parameters (`;name=value`)
// differently.
const pathPattern = /^\/[\w\-.~!$&'()*+,=:@%/]*$/
const queryPattern = /^[!-~]*$/

// Encoded characters that servers decode or interpret differently: control characters, dot, slash, percent (double
// encoding), semicolon, backslash and delete.
const forbiddenEscape = /%(?:[01][0-9a-f]|2[ef5]|3b|5c|7f)/i

export type RequestTarget = { path: string; query: string } | 'malformed' | 'too long'

/**
 * Splits a raw request target into path and query. Returns `malformed` if servers could interpret the target
 * differently.
 */
export function parseRequestTarget(url: string): RequestTarget {
  if (url.length > maxUrlLength) return 'too long'
  const queryAt = url.indexOf('?')
  const path = queryAt < 0 ? url : url.slice(0, queryAt)
  const query = queryAt < 0 ? '' : url.slice(queryAt + 1)
  return isSafePath(path) && queryPattern.test(query) && !query.includes('#') ? { path, query } : 'malformed'
}

function isSafePath(path: string): boolean {
  if (!pathPattern.test(path) || path.includes('//') || forbiddenEscape.test(path)) return false
  // Rejects `../` even after other characters, as in `/a../b`, because the proxy plugin would reject the path later.
  if (path.includes('../')) return false
  if (path.split('/').some((segment) => segment === '.' || segment === '..')) return false
  return isDecodable(path)
}

function isDecodable(path: string): boolean {
  try {
    decodeURIComponent(path)
    return true
  } catch {
    return false
  }
}
