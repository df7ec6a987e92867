interface RoutedPath {
  method: string
  template: string
  to: string
}

/**
 * Returns the paths of each service. `/api/offers*` stands for `/api/offers` and all paths below it, `/api/stripe/*`
 * for the paths below `/api/stripe`. A path has a method only if its methods belong to several services.
 */
export function groupPaths(routes: readonly RoutedPath[]): Map<string, string[]> {
  const groups = Map.groupBy(shorten(routes, ''), ({ to }) => to)
  return new Map([...groups].map(([to, paths]) => [to, paths.map(({ path }) => path)]))
}

function shorten(routes: readonly RoutedPath[], prefix: string): { to: string; path: string }[] {
  const bySegment = Map.groupBy(routes, ({ template }) => template.slice(prefix.length).split('/')[1] ?? '')
  return [...bySegment].flatMap(([segment, below]) => {
    const isSplit = new Set(below.map(({ to }) => to)).size > 1
    if (segment === '')
      return isSplit
        ? below.map(({ method, to }) => ({ to, path: `${method} ${prefix}` }))
        : below.slice(0, 1).map(({ to }) => ({ to, path: prefix }))
    const path = `${prefix}/${segment}`
    if (isSplit) return shorten(below, path)
    const templates = new Set(below.map(({ template }) => template))
    return below.slice(0, 1).map(({ to, template }) => {
      if (templates.size === 1) return { to, path: template }
      return { to, path: templates.has(path) ? `${path}*` : `${path}/*` }
    })
  })
}
