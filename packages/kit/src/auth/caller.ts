/** The user who sent a request, read from a verified access token. */
export interface Caller {
  userId: string
  sessionId: string
  name: string
}

export interface VerifiedToken extends Caller {
  issuedAt: Date
  expiresAt: Date
}

/**
 * Returns the token's claims. Throws 401 for an invalid token and 503 if the public keys of the users service are
 * unavailable.
 */
export type VerifyToken = (token: string) => Promise<VerifiedToken>
