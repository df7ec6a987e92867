import { isLoopback } from '@marketplace/kit/cookies.ts'
import * as openid from 'openid-client'
import type { Claims } from '../account/account.ts'
import type { UsersSettings } from '../config.ts'
import { toDiscoveryProblem, toSignInProblem } from './sign-in-problem.ts'

interface AuthorizationRequest {
  state: string
  nonce: string
  verifier: string
}

interface AuthorizationAnswer extends AuthorizationRequest {
  code: string
  /** The issuer as the answer named it, where the client passed it on. */
  iss: string | undefined
}

export interface IdentityProvider {
  /** Where the browser goes to sign in; 503 while the provider is away. */
  authorizationUrl(request: AuthorizationRequest): Promise<string>
  /** What the provider says about the person who brought this code; 401 when it refuses the code. */
  exchange(answer: AuthorizationAnswer): Promise<Claims>
}

type Settings = Pick<UsersSettings, 'PUBLIC_ORIGIN' | 'OIDC_ISSUER' | 'OIDC_CLIENT_ID' | 'OIDC_CLIENT_SECRET'>

const timeoutSeconds = 5

/** An OpenID provider, discovered when it is first needed. */
export function openidProvider(settings: Settings): IdentityProvider {
  const callback = new URL('/auth/callback', settings.PUBLIC_ORIGIN)
  const configuration = discovered(settings)
  return {
    async authorizationUrl({ state, nonce, verifier }) {
      const config = await configuration()
      const url = openid.buildAuthorizationUrl(config, {
        redirect_uri: callback.href,
        scope: 'openid email profile',
        state,
        nonce,
        code_challenge: await openid.calculatePKCECodeChallenge(verifier),
        code_challenge_method: 'S256',
      })
      return url.href
    },
    async exchange({ code, state, iss, nonce, verifier }) {
      const config = await configuration()
      const answer = new URL(callback)
      // The specified client passes on the code alone; PKCE and nonce bind it then, so the rest counts as expected.
      answer.search = new URLSearchParams({ code, state, iss: iss ?? config.serverMetadata().issuer }).toString()
      try {
        const checks = { pkceCodeVerifier: verifier, expectedNonce: nonce, expectedState: state, idTokenExpected: true }
        return await readClaims(config, await openid.authorizationCodeGrant(config, answer, checks))
      } catch (error) {
        throw toSignInProblem(error)
      }
    },
  }
}

type Tokens = Awaited<ReturnType<typeof openid.authorizationCodeGrant>>

// Google puts the profile into the ID token; by the standard it is at the userinfo endpoint.
async function readClaims(config: openid.Configuration, tokens: Tokens): Promise<Claims> {
  const claims = tokens.claims()
  if (!claims) throw new Error('An ID token was asked for and did not come.')
  if (claims['email'] !== undefined && claims['name'] !== undefined) return claims
  if (config.serverMetadata().userinfo_endpoint === undefined) return claims
  return { ...claims, ...(await openid.fetchUserInfo(config, tokens.access_token, claims.sub)) }
}

// Kept once it worked; a failure is not kept, so the next sign-in tries again.
function discovered(settings: Settings): () => Promise<openid.Configuration> {
  let known: Promise<openid.Configuration> | undefined
  return () => {
    known ??= discover(settings).catch((error: unknown) => {
      known = undefined
      throw toDiscoveryProblem(error)
    })
    return known
  }
}

function discover({ OIDC_ISSUER, OIDC_CLIENT_ID, OIDC_CLIENT_SECRET }: Settings): Promise<openid.Configuration> {
  const isPlain = OIDC_ISSUER.startsWith('http:') && isLoopback(OIDC_ISSUER)
  return openid.discovery(new URL(OIDC_ISSUER), OIDC_CLIENT_ID, OIDC_CLIENT_SECRET, undefined, {
    timeout: timeoutSeconds,
    // oxlint-disable-next-line typescript/no-deprecated -- marked so only to stand out; the settings allow http on loopback alone
    execute: [openid.enableNonRepudiationChecks, ...(isPlain ? [openid.allowInsecureRequests] : [])],
  })
}
