import { isDeepStrictEqual } from 'node:util'
import type { Asked, Call, Checked, Walk } from './contract.ts'
import { signInOnWalk } from './walk-as-people.ts'

interface Kept {
  call: Call
  asked: Asked
  email: string
  first: Pick<Checked<unknown>, 'status' | 'body'>
}

export interface KeyedWalk extends Walk {
  /** The writes that were made so far, each with a key of its own. */
  keyed(): Call[]
  /** Makes every write again with its key, its person signed in anew; answers what was not answered as at first. */
  repeat(base: string, times: number): Promise<string[]>
}

/** The writes of somebody signed in. Chat stores nothing; signing in has nobody yet to keep an answer for. */
export function takesKey(call: Call): boolean {
  const isKeyless = ['/sessions', '/chat', '/webhook', '/csp-reports'].some((end) => call.endsWith(end))
  return !call.startsWith('GET') && !isKeyless
}

/** Gives every write on a walk a key, and remembers what was answered. */
export function withKeys(walk: Walk): KeyedWalk {
  const emails = new Map<string, string>()
  const kept: Kept[] = []
  return {
    ...walk,
    async ask<Body>(call: Call, asked: Asked = {}) {
      const email = emails.get(asked.cookie ?? '')
      const isKept = email !== undefined && takesKey(call)
      const headers = { ...asked.headers, ...(isKept && { 'idempotency-key': `write ${kept.length}` }) }
      const sent = { ...asked, headers }
      const answer = await walk.ask<Body>(call, sent)
      if (isKept) kept.push({ call, asked: sent, email, first: { status: answer.status, body: answer.body } })
      if (call === 'POST /api/sessions') emails.set(answer.cookie, emailOf(answer.body))
      return answer
    },
    keyed: () => kept.map(({ call }) => call),
    async repeat(base, times) {
      const people = new Set(kept.map(({ email }) => email))
      const cookies = new Map<string, string>()
      for (const email of people) cookies.set(email, await signInOnWalk(walk, base, email))
      const wrong: string[] = []
      for (const { call, asked, email, first } of Array.from({ length: times }, () => kept).flat()) {
        const { status, body } = await walk.ask(call, { ...asked, cookie: cookies.get(email) ?? '' })
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
