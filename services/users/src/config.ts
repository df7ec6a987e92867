import { durationMs, readSettings, serviceSettings } from '@marketplace/kit/config.ts'
import { isLoopback } from '@marketplace/kit/cookies.ts'
import { z } from 'zod'

const minute = 60_000
const day = 24 * 60 * minute

const usersSettings = serviceSettings.extend({
  PUBLIC_ORIGIN: z.url({ protocol: /^https?$/ }).transform((url) => new URL(url).origin),
  // A secret and a token would travel in the open.
  OIDC_ISSUER: z.url({ protocol: /^https?$/ }).refine(isHttpsOrLoopback, 'must be https off loopback'),
  OIDC_CLIENT_ID: z.string().min(1),
  OIDC_CLIENT_SECRET: z.string().min(1),
  /** Seals the signing keys and the login cookie, and makes a refresh token's successor. */
  SESSION_SECRET: z.string().min(32),
  LOGIN_MS: durationMs.default(10 * minute),
  ACCESS_TOKEN_MS: durationMs.default(5 * minute),
  REFRESH_TOKEN_MS: durationMs.default(30 * day),
  /** How long a replaced refresh token still gives its successor. */
  REFRESH_GRACE_MS: durationMs.default(30_000),
  /** How long a key signs. */
  SIGNING_KEY_MS: durationMs.default(day),
  /** How long a new key is published before it signs: as long as others may keep the published keys. */
  SIGNING_KEY_LEAD_MS: durationMs.default(10 * minute),
  SIGNING_KEY_CHECK_MS: durationMs.default(30_000),
  SWEEP_MS: durationMs.default(minute),
  /** How long a finished request about a person's data, and the copy that it made, can be looked at. */
  KEEP_REQUESTS_MS: durationMs.default(30 * day),
})

// The command asks and waits; the service does the rest.
const commandSettings = z.object({
  DATABASE_URL: serviceSettings.shape.DATABASE_URL,
  PATIENCE_MS: durationMs.default(minute),
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
