import { expectToMatchContract, type ApiDocument } from '@marketplace/testing/contract.ts'
import { expectTimesInUtc } from './times.ts'

/** A call of the document, such as `GET /api/listings/{id}`. */
export type Call = string

export interface Asked {
  /** In place of the template's parameter. */
  id?: string
  query?: string
  cookie?: string
  headers?: Record<string, string>
  /** An object is sent as JSON, a text as it is. */
  body?: object | string
}

export interface Checked<Body> {
  status: number
  body: Body
  /** What it sets, as a browser would send it back. */
  cookie: string
}

export interface Walk {
  /** Makes a call and holds its answer to the document. */
  ask<Body = unknown>(call: Call, asked?: Asked): Promise<Checked<Body>>
  /** The first event of a stream, held to the document like an answer; then the stream is closed. */
  askStream(call: Call, asked?: Asked): Promise<unknown>
  calls: readonly Call[]
  /** The calls that were answered with one of these so far. */
  answeredWith(...statuses: number[]): Call[]
}

/** Walks over the calls of the document that the gateway serves. */
export async function startWalk(base: string): Promise<Walk> {
  const document: ApiDocument = await (await fetch(`${base}/api/openapi.json`)).json()
  const seen = new Map<Call, Set<number>>()
  const hold = (call: Call, response: Response, body: string) => {
    const [method = '', template = ''] = call.split(' ')
    const headers = Object.fromEntries(response.headers)
    expectToMatchContract(document, method, template, { statusCode: response.status, headers, body })
    expectTimesInUtc(call, JSON.parse(body))
    seen.set(call, (seen.get(call) ?? new Set()).add(response.status))
  }
  return {
    async ask(call, asked = {}) {
      const response = await send(base, call, asked)
      const text = await response.text()
      hold(call, response, text)
      const pairs = response.headers.getSetCookie().map((line) => line.split(';')[0])
      return { status: response.status, body: JSON.parse(text), cookie: pairs.join('; ') }
    },
    async askStream(call, asked = {}) {
      const response = await send(base, call, asked)
      const data = await firstData(response)
      hold(call, response, data)
      return JSON.parse(data)
    },
    calls: Object.entries(document.paths).flatMap(([template, operations]) =>
      Object.keys(operations ?? {}).map((method) => `${method.toUpperCase()} ${template}`),
    ),
    answeredWith: (...wanted) =>
      [...seen].flatMap(([call, statuses]) => (wanted.some((status) => statuses.has(status)) ? [call] : [])),
  }
}

function send(base: string, call: Call, { id, query = '', cookie, headers, body }: Asked): Promise<Response> {
  const [method = '', template = ''] = call.split(' ')
  const path = template.replace(/\{\w+\}/, id ?? '')
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
  throw new Error(`The stream ended without an event: ${text}`)
}
