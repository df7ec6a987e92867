/** One may open connections to the other's port: `from → to:port`. */
export type Edge = `${string} → ${string}:${'public' | 'internal'}`

// The sentence of the architecture page: (gateway → users; payments → catalog, auction, users; … all read users' keys).
const sentence = /They form no circle \(([^)]*)\)/s

/** The internal calls that the architecture page allows, and no others. */
export function edgesOfPage(page: string, services: readonly string[]): Edge[] {
  const text = sentence.exec(page)?.[1]?.replaceAll(/\s+/g, ' ')
  if (text === undefined) throw new Error('The architecture page no longer says which internal calls there are.')
  const edges = text.split(/;\s*/).flatMap((part) => edgesOfPart(part, services))
  return [...new Set(edges)].toSorted()
}

function edgesOfPart(part: string, services: readonly string[]): Edge[] {
  // Web reads no keys, since it knows nobody; users' are its own.
  if (part === "all read users' keys")
    return services.filter((name) => name !== 'users' && name !== 'web').map((name): Edge => `${name} → users:internal`)
  const [from = '', targets] = part.split(' → ')
  if (targets === undefined)
    throw new Error(`The architecture page says about internal calls what no test can read: ${part}`)
  return targets.split(', ').map((target): Edge => {
    const to = target.replace(/'s public port$/, '')
    return `${from} → ${to}:${to === target ? 'internal' : 'public'}`
  })
}

/** What a service's settings lead it to: `CATALOG_URL` is a public port, `CATALOG_INTERNAL_URL` an internal one. */
export function edgesOfSettings(from: string, names: readonly string[], services: readonly string[]): Edge[] {
  const edges = names.flatMap((name): Edge[] => {
    const found = /^([A-Z]+?)(_INTERNAL)?_URL$/.exec(name)
    const to = found?.[1]?.toLowerCase() ?? ''
    if (!services.includes(to) || to === from) return []
    return [`${from} → ${to}:${found?.[2] ? 'internal' : 'public'}`]
  })
  return edges.toSorted()
}
