import { randomNonce, randomPKCECodeVerifier, randomState } from 'openid-client'
import type { Context } from '../context.ts'
import { newLogin, sealLogin } from './login.ts'

export interface BegunSignIn {
  redirectUrl: string
  /** The login, for this browser's cookie. */
  sealedLogin: string
}

export async function beginSignIn({ settings, secrets, provider }: Context): Promise<BegunSignIn> {
  // 256 bits each.
  const random = { state: randomState(), nonce: randomNonce(), verifier: randomPKCECodeVerifier() }
  const redirectUrl = await provider.authorizationUrl(random)
  const login = newLogin(random, new Date(), settings.LOGIN_MS)
  return { redirectUrl, sealedLogin: await sealLogin(login, secrets.loginCookie) }
}
