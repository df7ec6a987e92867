import { databaseTime, transaction } from '@marketplace/kit/db.ts'
import { personOf, type Account, type Person } from '../account/account.ts'
import { saveAccount } from '../account/accounts.repo.ts'
import type { Context } from '../context.ts'
import type { Trx } from '../db.ts'
import { openSession } from '../session/open-session.ts'
import type { SessionTokens } from '../session/refresh-session.ts'
import { signAccessToken } from '../signing-key/access-token.ts'
import { openLogin, type Login } from './login.ts'
import { spendLogin } from './logins.repo.ts'
import { signInRefused } from './sign-in-problem.ts'

/** The name in the path, and with the subject the key of an account. */
export const providerName = 'google'

export interface SignInAnswer {
  code: string
  state: string | undefined
  iss: string | undefined
  sealedLogin: string | undefined
}

export interface SignedIn {
  account: Account
  tokens: SessionTokens
}

export async function finishSignIn(ctx: Context, { code, state, iss, sealedLogin }: SignInAnswer): Promise<SignedIn> {
  const login = sealedLogin === undefined ? null : await openLogin(sealedLogin, ctx.secrets.loginCookie)
  if (!login || (state !== undefined && state !== login.state)) throw signInRefused()
  const person = personOf(await ctx.provider.exchange({ ...login, code, iss }))
  const { account, session, now } = await transaction(ctx.db, (trx) => signIn(trx, ctx, login, person))
  const claims = { userId: account.id, sessionId: session.id, name: account.name, issuedAt: now }
  return { account, tokens: { accessToken: await signAccessToken(ctx, claims), ...session } }
}

async function signIn(trx: Trx, { settings }: Context, login: Login, person: Person) {
  // A new code for the same login, from going back to the provider's page, is a replay too.
  if (!(await spendLogin(trx, login))) throw signInRefused()
  const account = await saveAccount(trx, providerName, person)
  const now = await databaseTime(trx)
  return { account, now, session: await openSession(trx, account.id, now, settings) }
}
