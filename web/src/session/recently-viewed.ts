const storageKey = 'recently-viewed'
const maxIds = 20

/** Returns the ids of the listings that were last viewed in this browser, most recent first. */
export function readViewedIds(): string[] {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(storageKey) ?? '[]')
    return Array.isArray(stored) ? stored.filter((id) => typeof id === 'string').slice(0, maxIds) : []
  } catch {
    // Storage is disabled or has an unreadable value.
    return []
  }
}

/** Stores the id of a viewed listing. It is stored only in this browser. */
export function storeViewedId(id: string): void {
  const ids = [id, ...readViewedIds().filter((other) => other !== id)].slice(0, maxIds)
  try {
    localStorage.setItem(storageKey, JSON.stringify(ids))
  } catch {
    // Storage is disabled or full.
  }
}

export function clearViewedIds(): void {
  try {
    localStorage.removeItem(storageKey)
  } catch {
    // Storage is disabled, so nothing is stored.
  }
}
