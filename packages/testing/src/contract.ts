import { readFile } from 'node:fs/promises'
import { Ajv2020, type AnySchema, type ValidateFunction } from 'ajv/dist/2020.js'
import { expect } from 'vitest'

interface Operation {
  responses?: Record<string, { content?: Record<string, { schema?: AnySchema } | undefined> } | undefined>
}

/** What of an OpenAPI document an answer is held to. */
export interface ApiDocument {
  paths: Record<string, Record<string, Operation | undefined> | undefined>
  components?: { schemas?: Record<string, AnySchema> }
}

/** An answer of `app.inject`. */
export interface RealAnswer {
  statusCode: number
  headers: Record<string, unknown>
  body: string
}

/** The committed openapi.json of a service. */
export async function readContract(service: string): Promise<ApiDocument> {
  const file = new URL(`../../../services/${service}/openapi.json`, import.meta.url)
  return JSON.parse(await readFile(file, 'utf8'))
}

/** Holds an answer to the document: its status is declared, and its type and body are as declared. */
export function expectToMatchContract(
  document: ApiDocument,
  method: string,
  template: string,
  { statusCode, headers, body }: RealAnswer,
): void {
  const call = `${method} ${template}`
  const operation = document.paths[template]?.[method.toLowerCase()]
  if (!operation) throw new Error(`${call} is not in the document.`)
  const response = operation.responses?.[statusCode]
  if (!response) throw new Error(`${call} answered ${statusCode}, which is not declared: ${body}`)
  const type = String(headers['content-type']).split(';')[0] ?? ''
  const content = response.content?.[type]
  if (!content) throw new Error(`${call} answered ${statusCode} as ${type}, which is not declared.`)
  const validate = validatorOf(document, content.schema ?? true)
  validate(JSON.parse(body))
  expect(validate.errors ?? [], `${call} answered ${statusCode}: ${body}`).toEqual([])
}

/** The same for the address of a real request; what no template of the document fits has to be 404. */
export function expectToMatchContractAt(document: ApiDocument, method: string, url: string, answer: RealAnswer): void {
  const template = templateOf(document, method, url)
  if (template === undefined) expect(answer.statusCode, `${method} ${url} is not in the document`).toBe(404)
  else expectToMatchContract(document, method, template, answer)
}

// A template without parameters is nearer than one with.
function templateOf(document: ApiDocument, method: string, url: string): string | undefined {
  const [path = ''] = url.split('?')
  const fits = Object.keys(document.paths).filter(
    (template) => document.paths[template]?.[method.toLowerCase()] && isFit(template.split('/'), path.split('/')),
  )
  return fits.toSorted((a, b) => a.split('{').length - b.split('{').length)[0]
}

function isFit(template: readonly string[], path: readonly string[]): boolean {
  if (template.length !== path.length) return false
  return template.every((part, index) => (part.startsWith('{') ? path[index] !== '' : part === path[index]))
}

const validators = new WeakMap<object, ValidateFunction>()

// References point into the document, so an answer's schema is compiled with the document's shapes around it.
function validatorOf(document: ApiDocument, schema: AnySchema): ValidateFunction {
  const known = typeof schema === 'object' ? validators.get(schema) : undefined
  if (known) return known
  // Formats have a pattern beside them; OpenAPI's own keywords are none of ajv's.
  const ajv = new Ajv2020({ strict: false, allErrors: true, validateFormats: false })
  const validate = ajv.compile({ components: document.components, allOf: [schema] })
  if (typeof schema === 'object') validators.set(schema, validate)
  return validate
}
