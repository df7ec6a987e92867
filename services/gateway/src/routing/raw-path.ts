// Longer ones do not fit the header limit anyway; see `httpLimits`.
const maxUrlLength = 16 * 1024

// The characters of RFC 3986 in a path, without `;` (path parameters are read differently by different servers).
const pathForm = /^\/[\w\-.~!$&'()*+,=:@%/]*$/
const queryForm = /^[!-~]*$/

// Encoded NUL and controls, dot, slash, percent (a second layer of encoding), semicolon, backslash, delete.
const forbiddenEscape = /%(?:[01][0-9a-f]|2[ef5]|3b|5c|7f)/i

export type RawAddress = { path: string; query: string } | 'malformed' | 'too long'

/** Splits a request target as it came over the wire; malformed when two servers could read it as two places. */
export function judgeRawAddress(url: string): RawAddress {
  if (url.length > maxUrlLength) return 'too long'
  const queryAt = url.indexOf('?')
  const path = queryAt < 0 ? url : url.slice(0, queryAt)
  const query = queryAt < 0 ? '' : url.slice(queryAt + 1)
  return isSafePath(path) && queryForm.test(query) && !query.includes('#') ? { path, query } : 'malformed'
}

function isSafePath(path: string): boolean {
  if (!pathForm.test(path) || path.includes('//') || forbiddenEscape.test(path)) return false
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
