import { isDeepStrictEqual } from 'node:util'
import { z } from 'zod'
import type { Route } from '../routing/route.ts'
import { publicOperation, securitySchemes } from './public-operation.ts'

const Named = z.record(z.string(), z.unknown())

const Document = z.object({
  paths: z.record(z.string(), z.record(z.string(), Named)).default({}),
  components: z.object({ schemas: Named.default({}) }).default({ schemas: {} }),
})

export type OpenapiDocument = z.output<typeof Document>

const description = `The gateway closes a connection with status 400, 408 or 431 when it cannot parse the request, or when its headers are late or too large. A JSON body gets status 400 if one of its objects, at any depth, has a property "__proto__", or a property "constructor" with a property "prototype".`

/**
 * Merges the services' OpenAPI documents into one document that describes the public routes. Throws if a route is
 * missing in the document of its service, or if two services define a schema differently.
 */
export function mergeDocuments(routes: readonly Route[], given: Readonly<Record<string, unknown>>) {
  const documents = new Map(Object.entries(given).map(([service, document]) => [service, Document.parse(document)]))
  const paths: OpenapiDocument['paths'] = {}
  const schemas: Record<string, unknown> = {}
  for (const route of routes) {
    const { to, method, template } = route
    const document = documents.get(to)
    const operation = document?.paths[template]?.[method.toLowerCase()]
    if (!document || !operation) throw new Error(`${to} does not document ${method} ${template}.`)
    const described = publicOperation(route, operation)
    paths[template] = { ...paths[template], [method.toLowerCase()]: described }
    addSchemas(schemas, described, document, to)
  }
  return {
    openapi: '3.1.0',
    info: { title: 'Marketplace', version: '1', description },
    paths: sorted(paths),
    components: { securitySchemes, schemas: sorted(schemas) },
  }
}

// Adds the schemas that `value` references, directly or through other schemas.
function addSchemas(merged: Record<string, unknown>, value: unknown, document: OpenapiDocument, service: string): void {
  for (const name of referencesOf(value)) {
    const schema = document.components.schemas[name]
    if (isDeepStrictEqual(merged[name], schema)) continue
    if (name in merged) throw new Error(`${service} defines schema ${name} differently from another service.`)
    merged[name] = schema
    addSchemas(merged, schema, document, service)
  }
}

function referencesOf(value: unknown): string[] {
  const matches = JSON.stringify(value).matchAll(/"#\/components\/schemas\/([^"]+)"/g)
  return [...matches].flatMap(([, name]) => name ?? [])
}

function sorted<Value>(record: Record<string, Value>): Record<string, Value> {
  return Object.fromEntries(Object.entries(record).toSorted(([left], [right]) => (left < right ? -1 : 1)))
}
