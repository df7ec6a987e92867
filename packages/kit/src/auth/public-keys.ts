import { createRemoteJWKSet, customFetch, type JWTVerifyGetKey } from 'jose'

const timeoutMs = 3000
// Minimum time in ms between two loads of the public keys. Without this limit, every token with a forged key id would
// cause a call to the users service.
const cooldownMs = 30_000
// Minimum time in ms between two attempts while no keys are loaded. It is short, because no token can be verified
// without keys.
const firstLoadCooldownMs = 1000
/** Time in ms between two loads in the background. It limits how long a key is accepted that is no longer published. */
export const reloadIntervalMs = 180_000

/**
 * Loads the public keys of the users service when a token has an unknown key id, at most once in 30 s, and in the
 * background every 3 min. Loaded keys do not expire: if they did, requests of signed-in users would fail while the
 * users service is unavailable.
 */
export function remotePublicKeys(usersInternalUrl: string): JWTVerifyGetKey {
  let attemptedAt = -Infinity
  let hasKeys = false
  // Limits how often keys are loaded, because the jose library's own cooldown starts only after a successful load.
  const loadKeys = async (url: string, options: RequestInit): Promise<Response> => {
    const now = Date.now()
    if (now - attemptedAt < (hasKeys ? cooldownMs : firstLoadCooldownMs))
      throw new TypeError('The last load of the public keys was too recent.')
    attemptedAt = now
    const response = await fetch(url, options)
    hasKeys ||= response.ok
    return response
  }
  const keys = createRemoteJWKSet(new URL('/jwks.json', usersInternalUrl), {
    timeoutDuration: timeoutMs,
    cooldownDuration: cooldownMs,
    cacheMaxAge: Infinity,
    [customFetch]: loadKeys,
  })
  const reload = async () => {
    // If the load fails, the keys that were loaded before stay in use.
    if (hasKeys) await keys.reload().catch(() => undefined)
  }
  setInterval(() => void reload(), reloadIntervalMs).unref()
  return keys
}
