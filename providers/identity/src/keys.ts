import { generateKeyPairSync, randomBytes } from 'node:crypto'
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'

const Keys = z.object({
  cookies: z.array(z.string()).min(1),
  jwks: z.object({ keys: z.array(z.looseObject({ kty: z.string(), kid: z.string() })).min(1) }),
})

export type IdentityKeys = z.infer<typeof Keys>

/** Loads the provider's signing key and cookie secret, created on first use, so that sign-ins survive a restart. */
export function loadKeys(folder: string): IdentityKeys {
  const file = join(folder, 'identity-keys.json')
  const known = readIfExists(file)
  if (known) return Keys.parse(JSON.parse(known))
  const keys = newKeys()
  mkdirSync(folder, { recursive: true })
  writeFileSync(`${file}.new`, JSON.stringify(keys), { mode: 0o600 })
  renameSync(`${file}.new`, file)
  return keys
}

function newKeys(): IdentityKeys {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const jwk = {
    ...privateKey.export({ format: 'jwk' }),
    kty: 'RSA',
    kid: randomBytes(8).toString('hex'),
    alg: 'RS256',
    use: 'sig',
  }
  return { cookies: [randomBytes(32).toString('base64url')], jwks: { keys: [jwk] } }
}

function readIfExists(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return undefined
  }
}
