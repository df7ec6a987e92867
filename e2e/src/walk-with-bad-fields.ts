import { spoilt, unreadable, type Form } from './bad-values.ts'
import type { Asked, Call, Checked, Walk } from './contract.ts'
import { badIds, forms, nobody, queries } from './forms.ts'
import { takesKey } from './walk-with-keys.ts'

interface Refusal {
  error?: string
  details?: { path: string }[]
}

interface Attempt {
  call: Call
  asked: Asked
  /** What is wrong about the answer, when something is. */
  judge: (answer: Checked<Refusal>) => string | false
}

const atOnce = 8

/** Makes calls that have to be refused; answers what was not refused as it should be. */
export async function walkWithBadFields(walk: Walk, cookie: string): Promise<string[]> {
  const waiting = [
    ...forms.flatMap(([call, form]) => [...wrongFields(call, form), ...wrongBodies(call, form)]),
    ...queries.flatMap(([call, list]) => list.map((query) => attempt(call, { query }, (is) => is === 400))),
    ...walk.calls.filter((call) => call.includes('{id}')).flatMap(wrongIds),
    ...walk.calls.filter(takesKey).flatMap(wrongKeys),
  ]
  const wrong: string[] = []
  async function refuseWaiting(): Promise<void> {
    for (let next = waiting.shift(); next; next = waiting.shift()) {
      const { call, asked, judge } = next
      const fault = judge(await walk.ask<Refusal>(call, { cookie, id: nobody, ...asked }))
      if (fault !== false) wrong.push(`${call} ${shown(asked)}: ${fault}`)
    }
  }
  await Promise.all(Array.from({ length: atOnce }, refuseWaiting))
  return wrong
}

function wrongFields(call: Call, form: Form): Attempt[] {
  return spoilt(form).map(({ field, body }) => ({
    call,
    asked: { body },
    judge: ({ status, body: { error, details } }) => {
      const isNamed = details?.some(({ path }) => path.split('.')[0] === field)
      return status === 400 && isNamed && error ? false : `${status} that names ${JSON.stringify(details)}`
    },
  }))
}

function wrongBodies(call: Call, form: Form): Attempt[] {
  // Larger ones are cut off while they are sent (rules.test.ts of the gateway).
  const large = JSON.stringify({ ...form.body, much: 'x'.repeat(128 * 1024) })
  const types = ['text/plain', 'multipart/form-data', 'application/x-www-form-urlencoded', 'application/jsonp', 'json']
  const body = JSON.stringify(form.body)
  return [
    ...unreadable(form).map((text) => attempt(call, { body: text }, (status) => status === 400)),
    attempt(call, { body: large }, (status) => status === 413),
    ...types.map((type) => attempt(call, { body, headers: { 'content-type': type } }, (status) => status === 415)),
    attempt(call, { body, headers: { 'content-encoding': 'gzip' } }, (status) => status === 415 || status === 400),
  ]
}

function wrongIds(call: Call): Attempt[] {
  const [, form] = forms.find(([known]) => known === call) ?? []
  const body = form ? { body: form.body } : {}
  const isRefused = (status: number) => status === 404 || status === 400
  return [
    attempt(call, { id: nobody, ...body }, (status) => status === 404),
    ...badIds.map((id) => attempt(call, { id, ...body }, isRefused)),
  ]
}

function wrongKeys(call: Call): Attempt[] {
  const [, form] = forms.find(([known]) => known === call) ?? []
  const body = form ? { body: form.body } : {}
  const keys = ['x'.repeat(256), 'schlüssel', 'a\tb']
  return keys.map((key) => attempt(call, { ...body, headers: { 'idempotency-key': key } }, (status) => status === 400))
}

function attempt(call: Call, asked: Asked, isRight: (status: number) => boolean): Attempt {
  return { call, asked, judge: ({ status }) => !isRight(status) && String(status) }
}

function shown({ id, query, body, headers }: Asked): string {
  return JSON.stringify(body ?? query ?? id ?? headers ?? '').slice(0, 160)
}
