import { readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { z } from 'zod'
import { run } from '@marketplace/tools/run/run.ts'

/** The Go module that contains Stripe's OpenAPI document, pinned by the checksum of its archive. */
export const source = {
  module: 'github.com/stripe/stripe-mock@v0.203.0',
  sum: 'h1:EzW7nb/fphqcAkgVRHAaC88OaAZo6SBWSl54cflDTio=',
}

const Download = z.object({ Dir: z.string(), Sum: z.string() })

/** A schema in OpenAPI 3.0. Parsing removes what does not validate, such as descriptions and examples. */
const OpenApiSchema = z.object({
  type: z.enum(['string', 'integer', 'number', 'boolean', 'object', 'array']).optional(),
  enum: z.array(z.string()).optional(),
  nullable: z.boolean().optional(),
  maxLength: z.int().optional(),
  pattern: z.string().optional(),
  required: z.array(z.string()).optional(),
  $ref: z.string().optional(),
  'x-expansionResources': z.unknown().optional(),
  get properties() {
    return z.record(z.string(), OpenApiSchema).optional()
  },
  get items() {
    return OpenApiSchema.optional()
  },
  get anyOf() {
    return z.array(OpenApiSchema).optional()
  },
  get additionalProperties() {
    return z.union([z.boolean(), OpenApiSchema]).optional()
  },
})
export type OpenApiSchema = z.output<typeof OpenApiSchema>

const Content = z.object({ schema: OpenApiSchema })
const Operation = z.object({
  parameters: z.array(z.object({ in: z.string(), name: z.string(), schema: OpenApiSchema })).default([]),
  requestBody: z.object({ content: z.object({ 'application/x-www-form-urlencoded': Content }) }),
  responses: z.object({ 200: z.object({ content: z.object({ 'application/json': Content }) }) }),
})
export type Operation = z.output<typeof Operation>

const Document = z.object({
  info: z.object({ version: z.string() }),
  paths: z.record(z.string(), z.record(z.string(), z.unknown())),
  components: z.object({ schemas: z.record(z.string(), z.unknown()) }),
})

/** Stripe's OpenAPI document. Its thousands of parts are parsed on access. */
export interface PublishedDocument {
  version: string
  operation(method: string, path: string): Operation
  schema(name: string): OpenApiSchema
}

/** Downloads the document with `go mod download`, which verifies it with Go's public checksum database. */
export async function fetchDocument(): Promise<PublishedDocument> {
  const options = { cwd: tmpdir(), env: { GOFLAGS: '-mod=mod' } }
  const { code, output } = await run('go', ['mod', 'download', '-json', source.module], options)
  if (code !== 0) throw new Error(`Go did not download ${source.module}: ${output}`)
  const { Dir, Sum } = Download.parse(JSON.parse(output.slice(output.indexOf('{'))))
  if (Sum !== source.sum) throw new Error(`${source.module} has the checksum ${Sum} instead of ${source.sum}.`)
  return readDocument(await readFile(join(Dir, 'embedded/openapi/spec3.json'), 'utf8'))
}

export function readDocument(text: string): PublishedDocument {
  const { info, paths, components } = Document.parse(JSON.parse(text))
  return {
    version: info.version,
    operation: (method, path) => Operation.parse(paths[path]?.[method.toLowerCase()]),
    schema: (name) => OpenApiSchema.parse(components.schemas[name]),
  }
}
