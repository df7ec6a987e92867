export interface KeyTimes {
  id: string
  signsFrom: Date
}

export interface KeyDurations {
  SIGNING_KEY_MS: number
  SIGNING_KEY_LEAD_MS: number
  ACCESS_TOKEN_MS: number
}

// Between our clocks and those of whoever checks a token.
const clockSkewMs = 60_000

/** From when a key that is to be made now would sign; null while none is due. Keys come oldest first. */
export function nextKeySignsFrom(keys: readonly KeyTimes[], now: Date, durations: KeyDurations): Date | null {
  const newest = keys.at(-1)
  // Nobody can hold keys of ours yet, so there is nobody to wait for.
  if (!newest) return now
  const dueAt = newest.signsFrom.getTime() + durations.SIGNING_KEY_MS - durations.SIGNING_KEY_LEAD_MS
  if (newest.signsFrom > now || now.getTime() < dueAt) return null
  return new Date(now.getTime() + durations.SIGNING_KEY_LEAD_MS)
}

/** Keys whose last token is over: another key has signed for longer than a token lives. Keys come oldest first. */
export function endedKeys(keys: readonly KeyTimes[], now: Date, durations: KeyDurations): string[] {
  const lastTokenMs = durations.ACCESS_TOKEN_MS + clockSkewMs
  return keys
    .filter((_, place) => {
      const successor = keys[place + 1]
      return successor !== undefined && successor.signsFrom.getTime() + lastTokenMs <= now.getTime()
    })
    .map((key) => key.id)
}

/** Keys that have signed nothing yet. */
export function pendingKeys(keys: readonly KeyTimes[], now: Date): string[] {
  return keys.filter((key) => key.signsFrom > now).map((key) => key.id)
}
