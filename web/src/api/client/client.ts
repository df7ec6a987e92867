import { callApi } from './http.ts'
import type { paths } from '../schema.gen.ts'

type Method = 'get' | 'post' | 'put' | 'patch' | 'delete'
type PathWith<M extends Method> = {
  [Path in keyof paths]: paths[Path] extends Record<M, object> ? Path : never
}[keyof paths]
type Json<Content> = Content extends { content: { 'application/json': infer Body } } ? Body : never
type Success<Operation> = Operation extends { responses: infer Responses }
  ? Json<Responses[keyof Responses & (200 | 201 | 202)]>
  : never

type Params<Operation> = Operation extends { parameters: infer All extends { path?: unknown; query?: unknown } }
  ? Partial<All> extends Pick<All, 'path' | 'query'>
    ? { params?: Pick<All, 'path' | 'query'> }
    : { params: Pick<All, 'path' | 'query'> }
  : never
type Body<Operation> = Operation extends { requestBody: infer Content }
  ? { body: Json<Content> }
  : Operation extends { requestBody?: infer Content }
    ? { body?: Json<NonNullable<Content>> }
    : { body?: never }
type Options<Operation> = Params<Operation> & Body<Operation> & { headers?: Record<string, string> }

/** The options argument of an API call, which can be omitted if the operation requires no parameters and no body. */
type Rest<Operation> =
  Partial<Options<Operation>> extends Options<Operation>
    ? [options?: Options<Operation>]
    : [options: Options<Operation>]

type Call<M extends Method> = <Path extends PathWith<M>>(
  path: Path,
  ...rest: Rest<paths[Path][M]>
) => Promise<{ data?: Success<paths[Path][M]> }>

interface UntypedOptions {
  params?: { path?: Record<string, unknown>; query?: Record<string, unknown> }
  body?: unknown
  headers?: Record<string, string>
}

function urlOf(template: string, { path = {}, query = {} }: UntypedOptions['params'] = {}): string {
  const filled = template.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(path[name])))
  const given = Object.entries(query).filter(([, value]) => value !== undefined && value !== null)
  const search = new URLSearchParams(given.map(([name, value]) => [name, String(value)])).toString()
  return search === '' ? filled : `${filled}?${search}`
}

function caller<M extends Method>(method: M): Call<M>
function caller(method: Method): unknown {
  return async (template: string, { params, body, headers }: UntypedOptions = {}) => {
    const contentType = body === undefined ? undefined : { 'Content-Type': 'application/json' }
    const request = new Request(urlOf(template, params), {
      method: method.toUpperCase(),
      headers: { ...contentType, ...headers },
      body: body === undefined ? undefined : JSON.stringify(body),
    })
    const response = await callApi(request)
    const text = await response.text()
    return { data: text === '' ? undefined : JSON.parse(text) }
  }
}

/**
 * API client with types that are generated from the OpenAPI document. A call rejects with ApiError for an error
 * response, and with the error from `fetch` for a network failure.
 */
export const api = {
  GET: caller('get'),
  POST: caller('post'),
  PUT: caller('put'),
  PATCH: caller('patch'),
  DELETE: caller('delete'),
}

/** Returns the response body. Throws if the response has no body. */
export async function responseBody<T>(call: Promise<{ data?: T }>): Promise<T> {
  const { data } = await call
  if (data === undefined) throw new Error('The response has no body.')
  return data
}
