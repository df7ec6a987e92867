import { createRemoteJWKSet, customFetch, type JWTVerifyGetKey } from 'jose'

const timeoutMs = 3000
// Tokens with forged key ids must not cause more than one call to users per period.
const cooldownMs = 30_000
// Without any key nobody can be signed in, so a failed first load is repeated sooner.
const firstLoadCooldownMs = 1000

/**
 * Loads the public keys of the users service when a token has an unknown key id, at most once in 30 s, and keeps them
 * without a limit of age: reloading by age would fail requests of signed-in users while the users service is unavailable.
 */
export function remotePublicKeys(usersInternalUrl: string): JWTVerifyGetKey {
  let attemptedAt = -Infinity
  let hasKeys = false
  // jose's own cooldown starts only when a load succeeds.
  const loadKeys = async (url: string, options: RequestInit): Promise<Response> => {
    const now = Date.now()
    if (now - attemptedAt < (hasKeys ? cooldownMs : firstLoadCooldownMs))
      throw new TypeError('The last load of the public keys was too recent.')
    attemptedAt = now
    const response = await fetch(url, options)
    hasKeys ||= response.ok
    return response
  }
  return createRemoteJWKSet(new URL('/jwks.json', usersInternalUrl), {
    timeoutDuration: timeoutMs,
    cooldownDuration: cooldownMs,
    cacheMaxAge: Infinity,
    [customFetch]: loadKeys,
  })
}
