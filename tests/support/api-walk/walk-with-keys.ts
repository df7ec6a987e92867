import { isDeepStrictEqual } from 'node:util'
import type { CallOptions, Call, CallResult, Walk } from './contract.ts'
import { signInOnWalk } from './walk-as-users.ts'

interface KeyedCall {
  call: Call
  options: CallOptions
  email: string
  first: Pick<CallResult<unknown>, 'status' | 'body'>
}

export interface KeyedWalk extends Walk {
  /** Returns the writes made so far, each with its own key. */
  keyed(): Call[]
  /**
   * Repeats every write with its key in a new session of the same user; returns those whose response differs from the
   * first.
   */
  repeat(base: string, times: number): Promise<string[]>
}

/**
 * Returns whether a call accepts an idempotency key: writes of signed-in users. Chat stores nothing, and sign-in has no
 * user yet. Completing a picture again has the same effect without a key.
 */
export function acceptsKey(call: Call): boolean {
  const isKeyless = ['/sessions', '/chat', '/webhook', '/csp-reports', '/complete'].some((end) => call.endsWith(end))
  return !call.startsWith('GET') && !isKeyless
}

/** Sends every write of a walk with a key, and records its response. */
export function withKeys(walk: Walk): KeyedWalk {
  const emails = new Map<string, string>()
  const keyedCalls: KeyedCall[] = []
  return {
    ...walk,
    async call<Body>(call: Call, options: CallOptions = {}) {
      const email = emails.get(options.cookie ?? '')
      const isKeyed = email !== undefined && acceptsKey(call)
      const headers = { ...options.headers, ...(isKeyed && { 'idempotency-key': `write ${keyedCalls.length}` }) }
      const sent = { ...options, headers }
      const response = await walk.call<Body>(call, sent)
      if (isKeyed)
        keyedCalls.push({ call, options: sent, email, first: { status: response.status, body: response.body } })
      if (call === 'POST /api/sessions') emails.set(response.cookie, emailOf(response.body))
      return response
    },
    keyed: () => keyedCalls.map(({ call }) => call),
    async repeat(base, times) {
      const emailsUsed = new Set(keyedCalls.map(({ email }) => email))
      const cookies = new Map<string, string>()
      for (const email of emailsUsed) cookies.set(email, await signInOnWalk(walk, base, email))
      const wrong: string[] = []
      for (const { call, options, email, first } of Array.from({ length: times }, () => keyedCalls).flat()) {
        const { status, body } = await walk.call(call, { ...options, cookie: cookies.get(email) ?? '' })
        const isSame = isDeepStrictEqual({ status, body }, first)
        if (!isSame) wrong.push(`${call}: ${JSON.stringify([first, { status, body }])}`)
      }
      return wrong
    },
  }
}

function emailOf(body: unknown): string {
  return typeof body === 'object' && body !== null && 'email' in body ? String(body.email) : ''
}
