import type { Listing } from '@marketplace/contracts/gen/marketplace/catalog/v1/catalog_pb.ts'

/**
 * Returns the newest version of each listing; of equal versions, the first. Its view count becomes the largest count of
 * the listing's versions, because versions may arrive out of order and a view count never falls.
 */
export function latestVersions(versions: readonly Listing[]): Listing[] {
  const latest = new Map<string, Listing>()
  for (const version of versions) {
    const known = latest.get(version.id)
    const newer = known && known.version >= version.version ? known : version
    latest.set(version.id, { ...newer, viewCount: Math.max(known?.viewCount ?? 0, version.viewCount) })
  }
  return [...latest.values()]
}
