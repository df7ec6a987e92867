import { createLocalJWKSet, errors, type JSONWebKeySet, type JWTVerifyGetKey } from 'jose'
import type { Context } from '../context.ts'
import { rotateSigningKeys } from './rotate-signing-keys.ts'
import { listSigningKeys } from './signing-keys.repo.ts'

type KeyContext = Pick<Context, 'db' | 'settings' | 'secrets'>

/** Returns the public keys, including the key that will sign next. */
export async function publishedKeys(ctx: KeyContext): Promise<JSONWebKeySet> {
  const stored = await listSigningKeys(ctx.db)
  if (stored.length === 0) await rotateSigningKeys(ctx)
  const keys = stored.length === 0 ? await listSigningKeys(ctx.db) : stored
  return { keys: keys.map((key) => key.publicJwk) }
}

/** Creates a key resolver that reads this service's own database, so that the users service does not call itself. */
export function localKeySet(ctx: KeyContext): JWTVerifyGetKey {
  return async (header, token) => {
    // A database error is wrapped in a JOSEError, which leads to status 503 instead of 401, because the token might be
    // valid.
    const keys = await publishedKeys(ctx).catch((cause: unknown) => {
      throw new errors.JOSEError('Reading the signing keys failed.', { cause })
    })
    return createLocalJWKSet(keys)(header, token)
  }
}
