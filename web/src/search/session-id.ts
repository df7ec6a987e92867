const storageKey = 'search-session-id'

function newSessionId(): string {
  // crypto.randomUUID is not used, because it exists only on https and localhost.
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
}

function readOrCreate(): string {
  try {
    const stored = localStorage.getItem(storageKey)
    if (stored !== null) return stored
    const created = newSessionId()
    localStorage.setItem(storageKey, created)
    return created
  } catch {
    // Storage is disabled, so the id lasts only as long as the page.
    return newSessionId()
  }
}

let sessionId: string | null = null

/** Returns the anonymous id that groups the searches made in this browser. The id stays the same after a reload. */
export function searchSessionId(): string {
  sessionId ??= readOrCreate()
  return sessionId
}
