import { expectToMatchContract, type ApiDocument } from '@marketplace/testing/contract.ts'
import { expectTimesInUtc } from './times.ts'

/** An operation of the document, such as `GET /api/listings/{id}`. */
export type Call = string

export interface CallOptions {
  /** Replaces the first parameter of the path template. */
  id?: string
  /** Replaces the parameter `{number}`, by default with 1. */
  number?: string
  query?: string
  cookie?: string
  headers?: Record<string, string>
  /** An object is sent as JSON, a string unchanged. */
  body?: object | string
}

export interface CallResult<Body> {
  status: number
  body: Body
  /** The cookies that the response sets, in the format of a request header. */
  cookie: string
}

export interface Walk {
  /** Makes a call and checks its response against the document. */
  call<Body = unknown>(call: Call, options?: CallOptions): Promise<CallResult<Body>>
  /** Returns the first event of a stream, checked against the document like a response, and closes the stream. */
  readStream(call: Call, options?: CallOptions): Promise<unknown>
  calls: readonly Call[]
  /** Returns the operations that responded with one of these statuses so far. */
  respondedWith(...statuses: number[]): Call[]
}

/** Starts a walk over the operations of the document that the gateway serves. */
export async function startWalk(base: string): Promise<Walk> {
  const document: ApiDocument = await (await fetch(`${base}/api/openapi.json`)).json()
  const statusesOf = new Map<Call, Set<number>>()
  const check = (call: Call, response: Response, body: string) => {
    const [method = '', template = ''] = call.split(' ')
    const headers = Object.fromEntries(response.headers)
    expectToMatchContract(document, method, template, { statusCode: response.status, headers, body })
    expectTimesInUtc(call, JSON.parse(body))
    statusesOf.set(call, (statusesOf.get(call) ?? new Set()).add(response.status))
  }
  return {
    async call(call, options = {}) {
      const response = await send(base, call, options)
      const text = await response.text()
      check(call, response, text)
      const pairs = response.headers.getSetCookie().map((line) => line.split(';')[0])
      return { status: response.status, body: JSON.parse(text), cookie: pairs.join('; ') }
    },
    async readStream(call, options = {}) {
      const response = await send(base, call, options)
      const data = await firstData(response)
      check(call, response, data)
      return JSON.parse(data)
    },
    calls: Object.entries(document.paths).flatMap(([template, operations]) =>
      Object.keys(operations ?? {}).map((method) => `${method.toUpperCase()} ${template}`),
    ),
    respondedWith: (...expected) =>
      [...statusesOf].flatMap(([call, statuses]) => (expected.some((status) => statuses.has(status)) ? [call] : [])),
  }
}

function send(
  base: string,
  call: Call,
  { id, number = '1', query = '', cookie, headers, body }: CallOptions,
): Promise<Response> {
  const [method = '', template = ''] = call.split(' ')
  const path = template.replace('{number}', number).replace(/\{\w+\}/, id ?? '')
  return fetch(`${base}${path}${query}`, {
    method,
    headers: {
      ...(cookie !== undefined && { cookie }),
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  })
}

async function firstData(response: Response): Promise<string> {
  let text = ''
  for await (const chunk of (response.body ?? new ReadableStream()).pipeThrough(new TextDecoderStream())) {
    text += chunk
    const data = /^data: (.*)$/m.exec(text)?.[1]
    if (data !== undefined) return data
  }
  throw new Error(`The stream ended before its first event: ${text}`)
}
