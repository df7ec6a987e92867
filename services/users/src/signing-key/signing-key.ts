export interface KeyTimes {
  id: string
  signsFrom: Date
}

export interface KeyDurations {
  SIGNING_KEY_ROTATION_INTERVAL_MS: number
  SIGNING_KEY_ACTIVATION_DELAY_MS: number
  ACCESS_TOKEN_TTL_MS: number
}

// Allowed difference between the clocks of this service and of the services that verify tokens.
const clockSkewMs = 60_000

/**
 * Decides whether a new signing key is due. Returns the time at which the new key starts to sign tokens, or null if no
 * new key is due. `keys` must be ordered oldest first.
 */
export function nextKeySignsFrom(keys: readonly KeyTimes[], now: Date, durations: KeyDurations): Date | null {
  const newest = keys.at(-1)
  // The first key signs immediately; later keys sign after a delay, because other services cache the list of keys.
  if (!newest) return now
  const dueAt =
    newest.signsFrom.getTime() + durations.SIGNING_KEY_ROTATION_INTERVAL_MS - durations.SIGNING_KEY_ACTIVATION_DELAY_MS
  if (newest.signsFrom > now || now.getTime() < dueAt) return null
  return new Date(now.getTime() + durations.SIGNING_KEY_ACTIVATION_DELAY_MS)
}

/**
 * Returns the ids of keys that can be deleted. A key can be deleted when a newer key has been signing for longer than
 * the lifetime of a token, because all tokens signed with the older key have then expired. `keys` must be ordered
 * oldest first.
 */
export function expiredKeys(keys: readonly KeyTimes[], now: Date, durations: KeyDurations): string[] {
  const lastTokenMs = durations.ACCESS_TOKEN_TTL_MS + clockSkewMs
  return keys
    .filter((_, index) => {
      const successor = keys[index + 1]
      return successor !== undefined && successor.signsFrom.getTime() + lastTokenMs <= now.getTime()
    })
    .map((key) => key.id)
}

/** Returns the ids of keys that do not sign yet. */
export function pendingKeys(keys: readonly KeyTimes[], now: Date): string[] {
  return keys.filter((key) => key.signsFrom > now).map((key) => key.id)
}
