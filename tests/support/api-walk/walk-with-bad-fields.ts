import { invalidBodies, malformedBodies, type Form } from './bad-values.ts'
import type { CallOptions, Call, CallResult, Walk } from './contract.ts'
import { acceptsUnknownId, badIds, forms, unknownId, queries } from './forms.ts'
import { acceptsKey } from './walk-with-keys.ts'

interface Rejection {
  error?: string
  details?: { path: string }[]
}

interface Attempt {
  call: Call
  options: CallOptions
  /** Describes what is wrong with the response; false when it is right. */
  verify: (response: CallResult<Rejection>) => string | false
}

const concurrency = 8

/** Makes invalid requests; returns a description of each that was not rejected as specified. */
export async function walkWithBadFields(walk: Walk, cookie: string): Promise<string[]> {
  const queue = [
    ...forms.flatMap(([call, form]) => [...wrongFields(call, form), ...wrongBodies(call, form)]),
    ...queries.flatMap(([call, list]) =>
      list.map((query) => attempt(call, { query, ...bodyOf(call) }, (is) => is === 400)),
    ),
    ...walk.calls.filter((call) => call.includes('{id}')).flatMap(wrongIds),
    ...walk.calls.filter(acceptsKey).flatMap(wrongKeys),
  ]
  const wrong: string[] = []
  async function sendQueued(): Promise<void> {
    for (let next = queue.shift(); next; next = queue.shift()) {
      const { call, options, verify } = next
      const problem = verify(await walk.call<Rejection>(call, { cookie, id: unknownId, ...options }))
      if (problem !== false) wrong.push(`${call} ${describeOptions(options)}: ${problem}`)
    }
  }
  await Promise.all(Array.from({ length: concurrency }, sendQueued))
  return wrong
}

function wrongFields(call: Call, form: Form): Attempt[] {
  return invalidBodies(form).map(({ field, body }) => ({
    call,
    options: { body },
    verify: ({ status, body: { error, details } }) => {
      const isNamed = details?.some(({ path }) => path.split('.')[0] === field)
      return status === 400 && isNamed && error ? false : `${status} that names ${JSON.stringify(details)}`
    },
  }))
}

function wrongBodies(call: Call, form: Form): Attempt[] {
  // Larger bodies are cut off while they are sent (rules.test.ts of the gateway).
  const large = JSON.stringify({ ...form.body, much: 'x'.repeat(128 * 1024) })
  const types = ['text/plain', 'multipart/form-data', 'application/x-www-form-urlencoded', 'application/jsonp', 'json']
  const body = JSON.stringify(form.body)
  return [
    ...malformedBodies(form).map((text) => attempt(call, { body: text }, (status) => status === 400)),
    attempt(call, { body: large }, (status) => status === 413),
    ...types.map((type) => attempt(call, { body, headers: { 'content-type': type } }, (status) => status === 415)),
    attempt(call, { body, headers: { 'content-encoding': 'gzip' } }, (status) => status === 415 || status === 400),
  ]
}

function bodyOf(call: Call): Pick<CallOptions, 'body'> {
  const [, form] = forms.find(([known]) => known === call) ?? []
  return form ? { body: form.body } : {}
}

function wrongIds(call: Call): Attempt[] {
  const body = bodyOf(call)
  const isRejected = (status: number) => status === 404 || status === 400
  return [
    ...(acceptsUnknownId(call) ? [] : [attempt(call, { id: unknownId, ...body }, (status) => status === 404)]),
    ...badIds.map((id) => attempt(call, { id, ...body }, isRejected)),
  ]
}

function wrongKeys(call: Call): Attempt[] {
  const body = bodyOf(call)
  const keys = ['x'.repeat(256), 'schlüssel', 'a\tb']
  return keys.map((key) => attempt(call, { ...body, headers: { 'idempotency-key': key } }, (status) => status === 400))
}

function attempt(call: Call, options: CallOptions, isRight: (status: number) => boolean): Attempt {
  return { call, options, verify: ({ status }) => !isRight(status) && String(status) }
}

function describeOptions({ id, query, body, headers }: CallOptions): string {
  return JSON.stringify(body ?? query ?? id ?? headers ?? '').slice(0, 160)
}
