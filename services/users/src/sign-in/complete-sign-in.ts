import { databaseTime, transaction } from '@marketplace/kit/db/db.ts'
import { toPerson, type Account, type Person } from '../account/account.ts'
import { upsertAccount } from '../account/accounts.repo.ts'
import type { Context } from '../context.ts'
import type { Trx } from '../db.ts'
import { openSession } from '../session/open-session.ts'
import type { SessionTokens } from '../session/refresh-session.ts'
import { signAccessToken } from '../signing-key/access-token.ts'
import { decryptAttempt, type SignInAttempt } from './sign-in-attempt.ts'
import { consumeAttempt } from './sign-in-attempts.repo.ts'
import { signInRejected } from './sign-in-problem.ts'

/** Name of the identity provider in URLs. This name and the provider's `sub` claim together identify an account. */
export const providerName = 'google'

export interface SignInCallback {
  code: string
  state: string | undefined
  iss: string | undefined
  encryptedAttempt: string | undefined
  /** Browser and operating system, shown in the list of sessions. */
  device: string
}

export interface CompletedSignIn {
  account: Account
  tokens: SessionTokens
}

export async function completeSignIn(
  ctx: Context,
  { code, state, iss, encryptedAttempt, device }: SignInCallback,
): Promise<CompletedSignIn> {
  const attempt =
    encryptedAttempt === undefined ? null : await decryptAttempt(encryptedAttempt, ctx.secrets.loginCookie)
  if (!attempt || (state !== undefined && state !== attempt.state)) throw signInRejected()
  const person = toPerson(await ctx.provider.exchange({ ...attempt, code, iss }))
  const { account, session, now } = await transaction(ctx.db, (trx) => signIn(trx, ctx, attempt, { ...person, device }))
  const claims = { userId: account.id, sessionId: session.id, name: account.name, issuedAt: now }
  return { account, tokens: { accessToken: await signAccessToken(ctx, claims), ...session } }
}

async function signIn(
  trx: Trx,
  { settings }: Context,
  attempt: SignInAttempt,
  { device, ...person }: Person & { device: string },
) {
  // A sign-in attempt can be used only once. If the user goes back to the provider's page and gets a second code for
  // the same attempt, the second code is rejected.
  if (!(await consumeAttempt(trx, attempt))) throw signInRejected()
  // The upsert also locks the account, so that concurrent sign-ins to the account run one after the other.
  const account = await upsertAccount(trx, providerName, person)
  const now = await databaseTime(trx)
  return { account, now, session: await openSession(trx, { userId: account.id, device }, now, settings) }
}
