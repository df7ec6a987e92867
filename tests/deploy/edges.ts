import { internalCalls } from '@marketplace/contracts/internal-calls.ts'

/** One may open connections to the other's port: `from → to:port`. */
export type Edge = `${string} → ${string}:${'public' | 'internal'}`

/** Returns the connections of the internal calls, and those of the gateway's route table to every other part. */
export function allowedEdges(services: readonly string[]): Edge[] {
  const called = internalCalls.map(({ from, to, port }): Edge => `${from} → ${to}:${port}`)
  const routed = services.filter((name) => name !== 'gateway').map((name): Edge => `gateway → ${name}:public`)
  return [...new Set([...called, ...routed])].toSorted()
}

/** Returns the connections that a service's settings lead to: `CATALOG_URL` is a public port, `CATALOG_INTERNAL_URL` an internal one. */
export function edgesOfSettings(from: string, names: readonly string[], services: readonly string[]): Edge[] {
  const edges = names.flatMap((name): Edge[] => {
    const found = /^([A-Z]+?)(_INTERNAL)?_URL$/.exec(name)
    const to = found?.[1]?.toLowerCase() ?? ''
    if (!services.includes(to) || to === from) return []
    return [`${from} → ${to}:${found?.[2] ? 'internal' : 'public'}`]
  })
  return edges.toSorted()
}
