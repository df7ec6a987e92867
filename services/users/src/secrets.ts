import { hkdfSync } from 'node:crypto'

/** A separate 256-bit key for each purpose, derived from the setting SESSION_SECRET. */
export interface Secrets {
  loginCookie: Uint8Array
  signingKeys: Uint8Array
  refreshTokens: Uint8Array
}

export function deriveSecrets(sessionSecret: string): Secrets {
  const derive = (purpose: string) =>
    new Uint8Array(hkdfSync('sha256', sessionSecret, '', `marketplace-users ${purpose}`, 32))
  return {
    loginCookie: derive('login-cookie'),
    signingKeys: derive('signing-keys'),
    refreshTokens: derive('refresh-tokens'),
  }
}
