import { isLoopback } from '@marketplace/kit/auth/cookies.ts'
import * as openid from 'openid-client'
import type { Claims } from '../account/account.ts'
import type { UsersSettings } from '../config.ts'
import { toDiscoveryProblem, toSignInProblem } from './sign-in-problem.ts'

interface AuthorizationRequest {
  state: string
  nonce: string
  verifier: string
}

interface AuthorizationResponse extends AuthorizationRequest {
  code: string
  /** Value of the callback URL's parameter `iss`; undefined if the parameter is missing. */
  iss: string | undefined
}

export interface IdentityProvider {
  /** Returns the URL at which the user signs in. Throws `unavailable` (503) if the provider cannot be reached. */
  authorizationUrl(request: AuthorizationRequest): Promise<string>
  /** Exchanges a code for the user's claims. Throws `sign_in_refused` (401) if the provider rejects the code. */
  exchange(response: AuthorizationResponse): Promise<Claims>
}

type Settings = Pick<UsersSettings, 'PUBLIC_ORIGIN' | 'OIDC_ISSUER' | 'OIDC_CLIENT_ID' | 'OIDC_CLIENT_SECRET'>

const timeoutSeconds = 5

/**
 * Creates a client of the OpenID provider. The provider's configuration is discovered at the first call, so the service
 * starts even if the provider is unavailable.
 */
export function openidProvider(settings: Settings): IdentityProvider {
  const callback = new URL('/auth/callback', settings.PUBLIC_ORIGIN)
  const configuration = cachedDiscovery(settings)
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
      const response = new URL(callback)
      // The library requires `state` and `iss`, so a missing one is replaced with its expected value. This is safe,
      // because PKCE and the nonce bind the code to this sign-in attempt.
      response.search = new URLSearchParams({ code, state, iss: iss ?? config.serverMetadata().issuer }).toString()
      try {
        const checks = { pkceCodeVerifier: verifier, expectedNonce: nonce, expectedState: state, idTokenExpected: true }
        return await readClaims(config, await openid.authorizationCodeGrant(config, response, checks))
      } catch (error) {
        throw toSignInProblem(error)
      }
    },
  }
}

type Tokens = Awaited<ReturnType<typeof openid.authorizationCodeGrant>>

// Returns the user's claims. Google includes the email and name in the ID token; for other providers, they are read
// from the userinfo endpoint.
async function readClaims(config: openid.Configuration, tokens: Tokens): Promise<Claims> {
  const claims = tokens.claims()
  if (!claims) throw new Error('The token response has no ID token.')
  if (claims['email'] !== undefined && claims['name'] !== undefined) return claims
  if (config.serverMetadata().userinfo_endpoint === undefined) return claims
  return { ...claims, ...(await openid.fetchUserInfo(config, tokens.access_token, claims.sub)) }
}

// Only a successful discovery is cached. After a failure, the next sign-in runs it again.
function cachedDiscovery(settings: Settings): () => Promise<openid.Configuration> {
  let cached: Promise<openid.Configuration> | undefined
  return () => {
    cached ??= discover(settings).catch((error: unknown) => {
      cached = undefined
      throw toDiscoveryProblem(error)
    })
    return cached
  }
}

function discover({ OIDC_ISSUER, OIDC_CLIENT_ID, OIDC_CLIENT_SECRET }: Settings): Promise<openid.Configuration> {
  const isPlain = OIDC_ISSUER.startsWith('http:') && isLoopback(OIDC_ISSUER)
  return openid.discovery(new URL(OIDC_ISSUER), OIDC_CLIENT_ID, OIDC_CLIENT_SECRET, undefined, {
    timeout: timeoutSeconds,
    // oxlint-disable-next-line typescript/no-deprecated -- deprecated to discourage use; used only for a local issuer
    execute: [openid.enableNonRepudiationChecks, ...(isPlain ? [openid.allowInsecureRequests] : [])],
  })
}
