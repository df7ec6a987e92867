const storageKey = 'search-session-id'

function newSessionId(): string {
  // randomUUID is there on https and localhost only.
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
}

function stored(): string {
  try {
    const known = localStorage.getItem(storageKey)
    if (known !== null) return known
    const created = newSessionId()
    localStorage.setItem(storageKey, created)
    return created
  } catch {
    // Storage is switched off: the id lives as long as the page.
    return newSessionId()
  }
}

let sessionId: string | null = null

/** The anonymous id that ties a visitor's searches together, the same after a reload. */
export function searchSessionId(): string {
  sessionId ??= stored()
  return sessionId
}
