// Names that are never served: operational endpoints of services and development files. Without this list, the web app
// would respond to them with its page and status 200.
const blockedNames = new Set(['livez', 'readyz', 'metrics', 'docs', 'openapi.json', 'debug', '__flags', 'jwks.json'])

/** Returns whether a path is never served: hidden files, source maps and operational names. */
export function isBlockedPath(path: string): boolean {
  const [first = '', ...rest] = path.slice(1).split('/')
  if (blockedNames.has(first.toLowerCase()) || path.endsWith('.map')) return true
  return [first, ...rest].some((segment) => segment.startsWith('.') && segment !== '.well-known')
}
