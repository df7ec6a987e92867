import { durationMs, readSettings, serviceSettings } from '@marketplace/kit/config/config.ts'
import { maxTokenAgeMs } from '@marketplace/kit/auth/auth.ts'
import { isLoopback } from '@marketplace/kit/auth/cookies.ts'
import { z } from 'zod'

const minute = 60_000
const day = 24 * 60 * minute

// Settings for the service.
export const usersSettings = serviceSettings.extend({
  // Origin at which browsers reach the marketplace. The sign-in provider sends them back to its path /auth/callback.
  PUBLIC_ORIGIN: z.url({ protocol: /^https?$/ }).transform((url) => new URL(url).origin),
  // URL of the OpenID provider. Must be https, except on loopback: over http, the client secret and the tokens would be
  // readable on the network.
  OIDC_ISSUER: z.url({ protocol: /^https?$/ }).refine(isHttpsOrLoopback, 'must be https unless it is on loopback'),
  // Client id of the marketplace at the OpenID provider.
  OIDC_CLIENT_ID: z.string().min(1),
  // Client secret of the marketplace at the OpenID provider.
  OIDC_CLIENT_SECRET: z.string().min(1),
  /**
   * Secret from which three separate keys are derived: for encrypting the signing keys, for encrypting the sign-in
   * cookie, and for deriving refresh tokens.
   */
  SESSION_SECRET: z.string().min(32),
  /** How long a sign-in attempt can be completed after its start. */
  LOGIN_TTL_MS: durationMs.default(10 * minute),
  /** Validity of an access token, at most an hour. */
  ACCESS_TOKEN_TTL_MS: durationMs.max(maxTokenAgeMs).default(5 * minute),
  /** How long a session lasts after its last refresh. */
  REFRESH_TOKEN_TTL_MS: durationMs.default(30 * day),
  /** Maximum duration of a session, counted from the sign-in. Refreshing the session does not extend it. */
  SESSION_MAX_AGE_MS: durationMs.default(90 * day),
  /**
   * Maximum number of sessions per account. If a sign-in exceeds it, the oldest session is ended. Cannot be set above
   * 100, because the sessions page lists at most 100.
   */
  MAX_SESSIONS: z.coerce.number().int().min(1).max(100).default(100),
  /**
   * Grace period after a refresh token is exchanged. If the old token is presented again within this period, the same
   * new token is returned.
   */
  REFRESH_GRACE_MS: durationMs.default(30_000),
  /** How long a key signs new tokens. */
  SIGNING_KEY_ROTATION_INTERVAL_MS: durationMs.default(day),
  /**
   * Time between publishing a new key and signing tokens with it. Other services load the public keys when they first
   * see an unknown key id, at most once in 30 s. Must be longer than these 30 s, so that a load just before the key's
   * first use already returns the key.
   */
  SIGNING_KEY_ACTIVATION_DELAY_MS: durationMs.default(10 * minute),
  /** Interval of the sweep that creates the next signing key and deletes those whose tokens have expired. */
  SIGNING_KEY_CHECK_INTERVAL_MS: durationMs.default(30_000),
  /** Interval of the sweeps that delete expired sessions, sign-in attempts and requests about personal data. */
  SWEEP_INTERVAL_MS: durationMs.default(minute),
  /** Maximum number of members that one account can block. */
  MAX_BLOCKS: z.coerce.number().int().positive().default(5000),
  /** How long a process caches members' profiles. */
  PROFILE_TTL_MS: durationMs.default(minute),
  /** How long a finished personal data request and its exported data are stored. */
  DATA_REQUEST_RETENTION_MS: durationMs.default(30 * day),
})

// Settings of the personal data command. The command creates a request and polls its state; the users service executes
// the request.
export const commandSettings = z.object({
  // Same as for the service.
  DATABASE_URL: serviceSettings.shape.DATABASE_URL,
  // How long the command waits for the result of the request. The request continues after that.
  RETRY_TIMEOUT_MS: durationMs.default(minute),
})

export type UsersSettings = z.output<typeof usersSettings>

export function readConfig(): Readonly<UsersSettings> {
  return readSettings(usersSettings, process.env)
}

export function readCommandConfig(): z.output<typeof commandSettings> {
  return readSettings(commandSettings, process.env)
}

function isHttpsOrLoopback(url: string): boolean {
  return url.startsWith('https:') || isLoopback(url)
}
