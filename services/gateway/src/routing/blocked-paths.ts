// Operational endpoints and leftover files. Without this list, the web app's history fallback would respond with 200.
const blockedNames = new Set(['livez', 'readyz', 'metrics', 'docs', 'openapi.json', 'debug', '__flags', 'jwks.json'])

/** Returns whether a path is never served: hidden files, source maps and operational names. */
export function isBlockedPath(path: string): boolean {
  const [first = '', ...rest] = path.slice(1).split('/')
  if (blockedNames.has(first.toLowerCase()) || path.endsWith('.map')) return true
  return [first, ...rest].some((segment) => segment.startsWith('.') && segment !== '.well-known')
}
