import { generateKeyPairSync } from 'node:crypto'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { once } from 'node:events'
import { createMemoryStore } from '@marketplace/identity/memory.ts'
import { Provider, type Configuration } from 'oidc-provider'

const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
const signingKey = { ...privateKey.export({ format: 'jwk' }), kty: 'RSA', kid: 'test', alg: 'RS256', use: 'sig' }

export interface TestPerson {
  sub: string
  email: string
  email_verified?: boolean
  name?: string
  picture?: string
}

export interface TestProviderOptions {
  port?: number
  redirectUri: string
  clientId: string
  clientSecret: string
  /**
   * Whether the ID token contains the profile, as with Google. By default, the userinfo endpoint serves the profile, as
   * the standard says.
   */
  claimsInIdToken?: boolean
}

export interface TestProvider {
  issuer: string
  port: number
  people: Map<string, TestPerson>
  /** Signs this person in at the authorization URL and returns the parameters sent to the callback. */
  authorize(redirectUrl: string, person: TestPerson): Promise<URLSearchParams>
  stop(): Promise<void>
}

/** Starts a real OpenID provider whose accounts are defined by the test. */
export async function startOpenidProvider(options: TestProviderOptions): Promise<TestProvider> {
  const server = createServer()
  server.listen(options.port ?? 0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('The server has no TCP port.')
  const issuer = `http://127.0.0.1:${address.port}`
  const people = new Map<string, TestPerson>()
  serve(server, new Provider(issuer, configuration(options, people)))
  return {
    issuer,
    port: address.port,
    people,
    authorize(redirectUrl, person) {
      people.set(person.sub, person)
      return followToCallback(`${redirectUrl}&login_hint=${encodeURIComponent(person.sub)}`, options.redirectUri)
    },
    async stop() {
      server.closeAllConnections()
      await new Promise((closed) => server.close(closed))
    },
  }
}

function configuration(options: TestProviderOptions, people: Map<string, TestPerson>): Configuration {
  return {
    clients: [
      {
        client_id: options.clientId,
        client_secret: options.clientSecret,
        redirect_uris: [options.redirectUri],
        response_types: ['code'],
        grant_types: ['authorization_code'],
        token_endpoint_auth_method: 'client_secret_post',
      },
    ],
    claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name', 'picture'] },
    // Without the settings from here on, oidc-provider prints a warning for each of its development defaults.
    adapter: createMemoryStore(),
    jwks: { keys: [signingKey] },
    ttl: { AccessToken: 60, AuthorizationCode: 60, Grant: 60, IdToken: 60, Interaction: 60, Session: 60 },
    conformIdTokenClaims: !options.claimsInIdToken,
    cookies: { keys: ['a key of the tests'] },
    features: { devInteractions: { enabled: false } },
    interactions: { url: (_context, interaction) => `/interaction/${interaction.uid}` },
    pkce: { required: () => true },
    findAccount: (_context, sub) => {
      const person = people.get(sub)
      return person && { accountId: sub, claims: () => ({ ...person }) }
    },
    async loadExistingGrant({ oidc }) {
      const { client, session } = oidc
      if (!client || !session?.accountId) return undefined
      const grant = new oidc.provider.Grant({ accountId: session.accountId, clientId: client.clientId })
      grant.addOIDCScope('openid email profile')
      await grant.save()
      return grant
    },
  }
}

function serve(server: Server, provider: Provider): void {
  const callback = provider.callback()
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    if (request.url?.startsWith('/interaction/')) void signIn(provider, request, response)
    else void callback(request, response)
  })
}

async function signIn(provider: Provider, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { params } = await provider.interactionDetails(request, response)
  await provider.interactionFinished(request, response, { login: { accountId: String(params['login_hint']) } })
}

/** Follows redirects with cookies, as a browser does, until the callback; returns the callback's parameters. */
export async function followToCallback(start: string, callback: string): Promise<URLSearchParams> {
  const cookies = new Map<string, string>()
  let url = start
  while (!url.startsWith(callback)) {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const response = await fetch(url, { redirect: 'manual', headers: { cookie } })
    for (const line of response.headers.getSetCookie()) {
      const [name = '', value = ''] = line.split(';')[0]?.split(/=(.*)/s) ?? []
      cookies.set(name, value)
    }
    const location = response.headers.get('location')
    if (location === null)
      throw new Error(`The provider stopped at ${url}: ${response.status} ${await response.text()}`)
    url = new URL(location, url).href
  }
  return new URL(url).searchParams
}
