import { tokenAlgorithm, tokenAudience, tokenIssuer, tokenType } from '@marketplace/kit/auth/auth.ts'
import { newId } from '@marketplace/kit/values/ids.ts'
import fastify from 'fastify'
import { exportJWK, generateKeyPair, SignJWT } from 'jose'

export interface TestUser {
  userId: string
  name: string
  sessionId?: string
}

export interface TestKeys {
  /** Base URL that serves the public keys. */
  usersInternalUrl: string
  /** Returns an access token like the tokens of the users service. */
  token(user: TestUser): Promise<string>
  /** Returns request headers with an access token. */
  authorization(user: TestUser): Promise<{ authorization: string }>
  stop(): Promise<void>
}

/** Creates a signing key and serves its public key in place of the users service. */
export async function startTestKeys(): Promise<TestKeys> {
  const { publicKey, privateKey } = await generateKeyPair(tokenAlgorithm)
  const kid = newId()
  const jwk = { ...(await exportJWK(publicKey)), kid, alg: tokenAlgorithm, use: 'sig' }
  const server = fastify()
  server.get('/jwks.json', async () => ({ keys: [jwk] }))
  const usersInternalUrl = await server.listen({ host: '127.0.0.1', port: 0 })
  const token = (user: TestUser) =>
    new SignJWT({ sid: user.sessionId ?? newId(), name: user.name })
      .setProtectedHeader({ alg: tokenAlgorithm, typ: tokenType, kid })
      .setSubject(user.userId)
      .setIssuer(tokenIssuer)
      .setAudience(tokenAudience)
      .setIssuedAt()
      .setExpirationTime('5 minutes')
      .sign(privateKey)
  return {
    usersInternalUrl,
    token,
    authorization: async (user) => ({ authorization: `Bearer ${await token(user)}` }),
    stop: () => server.close(),
  }
}

/** Returns a user with a new id. */
export function randomUser(name = 'Alice'): { userId: string; name: string } {
  return { userId: newId(), name }
}
