import { randomNonce, randomPKCECodeVerifier, randomState } from 'openid-client'
import type { Context } from '../context.ts'
import { createAttempt, encryptAttempt } from './sign-in-attempt.ts'

export interface StartedSignIn {
  redirectUrl: string
  /** Value of the browser's sign-in cookie. */
  encryptedAttempt: string
}

export async function startSignIn({ settings, secrets, provider }: Context): Promise<StartedSignIn> {
  // openid-client generates 256 random bits for each of the three.
  const random = { state: randomState(), nonce: randomNonce(), verifier: randomPKCECodeVerifier() }
  const redirectUrl = await provider.authorizationUrl(random)
  const attempt = createAttempt(random, new Date(), settings.LOGIN_TTL_MS)
  return { redirectUrl, encryptedAttempt: await encryptAttempt(attempt, secrets.loginCookie) }
}
