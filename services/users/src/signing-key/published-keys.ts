import { createLocalJWKSet, errors, type JSONWebKeySet, type JWTVerifyGetKey } from 'jose'
import type { Context } from '../context.ts'
import { rotateSigningKeys } from './rotate-signing-keys.ts'
import { listSigningKeys } from './signing-keys.repo.ts'

type KeyContext = Pick<Context, 'db' | 'settings' | 'secrets'>

/** The public keys, also of the key that will sign next. */
export async function publishedKeys(ctx: KeyContext): Promise<JSONWebKeySet> {
  const known = await listSigningKeys(ctx.db)
  if (known.length === 0) await rotateSigningKeys(ctx)
  const keys = known.length === 0 ? await listSigningKeys(ctx.db) : known
  return { keys: keys.map((key) => key.publicJwk) }
}

/** Finds the key of a token in our own database, so that users needs no address of itself. */
export function ownKeys(ctx: KeyContext): JWTVerifyGetKey {
  return async (header, token) => {
    // jose's generic error is what its remote set throws too: kit answers 503 then, not 401.
    const keys = await publishedKeys(ctx).catch((cause: unknown) => {
      throw new errors.JOSEError('The signing keys cannot be read.', { cause })
    })
    return createLocalJWKSet(keys)(header, token)
  }
}
