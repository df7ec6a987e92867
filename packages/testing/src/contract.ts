import { readFile } from 'node:fs/promises'
import { Ajv2020, type AnySchema, type ValidateFunction } from 'ajv/dist/2020.js'
import { expect } from 'vitest'

interface Operation {
  responses?: Record<string, { content?: Record<string, { schema?: AnySchema } | undefined> } | undefined>
}

/** The parts of an OpenAPI document that responses are checked against. */
export interface ApiDocument {
  paths: Record<string, Record<string, Operation | undefined> | undefined>
  components?: { schemas?: Record<string, AnySchema> }
}

/** Response of `app.inject`. */
export interface InjectedResponse {
  statusCode: number
  headers: Record<string, unknown>
  body: string
}

/** Reads the committed openapi.json of a service. */
export async function readContract(service: string): Promise<ApiDocument> {
  const file = new URL(`../../../services/${service}/openapi.json`, import.meta.url)
  return JSON.parse(await readFile(file, 'utf8'))
}

/** Asserts that the document declares the response's status and content type and that the body matches its schema. */
export function expectToMatchContract(
  document: ApiDocument,
  method: string,
  template: string,
  { statusCode, headers, body }: InjectedResponse,
): void {
  const call = `${method} ${template}`
  const operation = document.paths[template]?.[method.toLowerCase()]
  if (!operation) throw new Error(`${call} is not in the document.`)
  const response = operation.responses?.[statusCode]
  if (!response) throw new Error(`${call} returned the undeclared status ${statusCode}: ${body}`)
  const type = String(headers['content-type']).split(';')[0] ?? ''
  const content = response.content?.[type]
  if (!content) throw new Error(`${call} returned ${statusCode} with the undeclared content type ${type}.`)
  const validate = validatorOf(document, content.schema ?? true)
  validate(JSON.parse(body))
  expect(validate.errors ?? [], `${call} returned ${statusCode}: ${body}`).toEqual([])
}

/**
 * Asserts the same as `expectToMatchContract` for the URL of a request. A URL that matches no path template must return 404.
 */
export function expectToMatchContractAt(
  document: ApiDocument,
  method: string,
  url: string,
  response: InjectedResponse,
): void {
  const template = templateOf(document, method, url)
  if (template === undefined) expect(response.statusCode, `${method} ${url} is not in the document`).toBe(404)
  else expectToMatchContract(document, method, template, response)
}

// Returns the path template that matches a URL. The template with the fewest parameters is the most specific match.
function templateOf(document: ApiDocument, method: string, url: string): string | undefined {
  const [path = ''] = url.split('?')
  const fits = Object.keys(document.paths).filter(
    (template) => document.paths[template]?.[method.toLowerCase()] && matches(template.split('/'), path.split('/')),
  )
  return fits.toSorted((a, b) => a.split('{').length - b.split('{').length)[0]
}

function matches(template: readonly string[], path: readonly string[]): boolean {
  if (template.length !== path.length) return false
  return template.every((part, index) => (part.startsWith('{') ? path[index] !== '' : part === path[index]))
}

const validators = new WeakMap<object, ValidateFunction>()

// `$ref`s point to the document's components, so each schema is compiled together with them.
function validatorOf(document: ApiDocument, schema: AnySchema): ValidateFunction {
  const cached = typeof schema === 'object' ? validators.get(schema) : undefined
  if (cached) return cached
  // Strict mode is off, because it rejects OpenAPI keywords. Formats are not validated, because each comes with a pattern.
  const ajv = new Ajv2020({ strict: false, allErrors: true, validateFormats: false })
  const validate = ajv.compile({ components: document.components, allOf: [schema] })
  if (typeof schema === 'object') validators.set(schema, validate)
  return validate
}
