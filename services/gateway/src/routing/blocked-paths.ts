// First path segments that are never served: operational endpoints of services and development files. Without this
// list, the web app would respond to these paths with a page and status 200.
const blockedNames = new Set(['livez', 'readyz', 'metrics', 'docs', 'openapi.json', 'debug', '__flags', 'jwks.json'])

/** Returns whether a path is never served: a hidden file, a source map or an operational endpoint. */
export function isBlockedPath(path: string): boolean {
  const [first = '', ...rest] = path.slice(1).split('/')
  if (blockedNames.has(first.toLowerCase()) || path.endsWith('.map')) return true
  return [first, ...rest].some((segment) => segment.startsWith('.') && segment !== '.well-known')
}
