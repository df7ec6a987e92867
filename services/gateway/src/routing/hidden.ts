// Names of other processes' internal ports and of leftovers; the web app's history fallback would answer 200.
const hiddenNames = new Set(['livez', 'readyz', 'metrics', 'docs', 'openapi.json', 'debug', '__flags', 'jwks.json'])

/** Never a page or a file of ours: hidden files, source maps, operational names. */
export function isHidden(path: string): boolean {
  const [first = '', ...rest] = path.slice(1).split('/')
  if (hiddenNames.has(first.toLowerCase()) || path.endsWith('.map')) return true
  return [first, ...rest].some((segment) => segment.startsWith('.') && segment !== '.well-known')
}
