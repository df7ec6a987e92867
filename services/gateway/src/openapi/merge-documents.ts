import { isDeepStrictEqual } from 'node:util'
import { z } from 'zod'
import type { Route } from '../routing/route-table.ts'

const Named = z.record(z.string(), z.unknown())

const Document = z.object({
  paths: z.record(z.string(), z.record(z.string(), Named)).default({}),
  components: z.object({ schemas: Named.default({}) }).default({ schemas: {} }),
})

export type OpenapiDocument = z.output<typeof Document>

/** Merges what the services document into one document of the routes in the table; each must be documented. */
export function mergeDocuments(routes: readonly Route[], given: Readonly<Record<string, unknown>>) {
  const documents = new Map(Object.entries(given).map(([service, document]) => [service, Document.parse(document)]))
  const paths: OpenapiDocument['paths'] = {}
  for (const route of routes.filter(({ to }) => to !== 'gateway')) {
    const method = route.method.toLowerCase()
    const operation = documents.get(route.to)?.paths[route.template]?.[method]
    if (!operation) throw new Error(`${route.to} does not document ${route.method} ${route.template}.`)
    paths[route.template] = { ...paths[route.template], [method]: { tags: [route.to], ...operation } }
  }
  return {
    openapi: '3.1.0',
    info: { title: 'Marketplace', version: '1' },
    paths: sorted(paths),
    components: { schemas: sorted(mergeSchemas(documents)) },
  }
}

function mergeSchemas(documents: ReadonlyMap<string, OpenapiDocument>): Record<string, unknown> {
  const merged: Record<string, unknown> = {}
  for (const [service, { components }] of documents) {
    for (const [name, schema] of Object.entries(components.schemas)) {
      if (name in merged && !isDeepStrictEqual(merged[name], schema)) {
        throw new Error(`${service} gives the name ${name} to another shape than a service before it.`)
      }
      merged[name] = schema
    }
  }
  return merged
}

function sorted<Value>(record: Record<string, Value>): Record<string, Value> {
  return Object.fromEntries(Object.entries(record).toSorted(([left], [right]) => (left < right ? -1 : 1)))
}
