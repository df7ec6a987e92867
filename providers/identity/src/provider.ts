import { interactionPolicy, Provider, type Configuration } from 'oidc-provider'
import type { Config } from './config.ts'
import { loadKeys } from './keys.ts'
import { createMemoryStore } from './memory.ts'
import { emailOf, nameOf } from './people.ts'
import { pictureOf } from './picture.ts'

const minuteSeconds = 60

/** Creates the OpenID provider: code flow with PKCE for one client. Every sign-in shows the picker. */
export function createProvider(config: Config): Provider {
  const provider = new Provider(config.ISSUER ?? `http://127.0.0.1:${config.PORT}`, {
    ...clientOf(config),
    ...loadKeysOf(config),
    adapter: createMemoryStore(),
    claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name', 'picture'] },
    // Google puts these claims into the ID token, too.
    conformIdTokenClaims: false,
    features: { devInteractions: { enabled: false }, rpInitiatedLogout: { enabled: false } },
    findAccount: (_context, subject) => findAccount(subject),
    interactions: { policy: promptEachTime(), url: (_context, interaction) => `/interaction/${interaction.uid}` },
    loadExistingGrant: async (context) => grantAll(context.oidc),
    scopes: ['openid', 'email', 'profile'],
    responseTypes: ['code'],
    pkce: { required: () => true },
    ttl: {
      AccessToken: 10 * minuteSeconds,
      AuthorizationCode: minuteSeconds,
      Grant: 15 * minuteSeconds,
      IdToken: 10 * minuteSeconds,
      Interaction: 15 * minuteSeconds,
      Session: 15 * minuteSeconds,
    },
  })
  // The HTTPS proxy in front sets forwarding headers.
  provider.proxy = config.ISSUER !== undefined
  provider.on('server_error', (_context, error) => process.stderr.write(`${error.stack}\n`))
  return provider
}

function clientOf(config: Config): Configuration {
  return {
    clients: [
      {
        client_id: config.OIDC_CLIENT_ID,
        client_secret: config.OIDC_CLIENT_SECRET,
        redirect_uris: [new URL('/auth/callback', config.PUBLIC_ORIGIN).href],
        response_types: ['code'],
        grant_types: ['authorization_code'],
        // The method that openid-client uses for a secret by default.
        token_endpoint_auth_method: 'client_secret_post',
      },
    ],
  }
}

function loadKeysOf(config: Config): Configuration {
  const keys = loadKeys(config.DATA_DIR)
  // Browsers share cookies between ports; the port in the name separates two stacks on one machine.
  const names = {
    interaction: `_interaction_${config.PORT}`,
    resume: `_resume_${config.PORT}`,
    session: `_session_${config.PORT}`,
  }
  return { jwks: keys.jwks, cookies: { keys: keys.cookies, names } }
}

// A session alone never signs in: the picker is shown again, so that the user can choose another account.
function promptEachTime(): interactionPolicy.DefaultPolicy {
  const policy = interactionPolicy.base()
  const login = policy.get('login')
  login?.checks.add(
    new interactionPolicy.Check(
      'ask_each_time',
      'the account is chosen each time',
      (context) => !context.oidc.result?.['login'],
    ),
  )
  policy.remove('consent')
  return policy
}

type Context = Parameters<NonNullable<Configuration['loadExistingGrant']>>[0]['oidc']

async function grantAll(oidc: Context) {
  const { client, session } = oidc
  if (!client || !session?.accountId) return undefined
  const grant = new oidc.provider.Grant({ accountId: session.accountId, clientId: client.clientId })
  grant.addOIDCScope('openid email profile')
  await grant.save()
  return grant
}

function findAccount(subject: string) {
  const email = emailOf(subject)
  if (email === undefined) return undefined
  const name = nameOf(email)
  return {
    accountId: subject,
    claims: () => ({ sub: subject, email, email_verified: true, name, picture: pictureOf(email, name) }),
  }
}
