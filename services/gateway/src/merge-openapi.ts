// Merges the services' committed OpenAPI documents into openapi.json. Run by `npm run generate`.
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { mergeDocuments } from './openapi/merge-documents.ts'
import { ownDocument } from './openapi/own-document.ts'
import { routeTable } from './routing/route-table.ts'

const servicesFolder = join(import.meta.dirname, '../..')
// Routes left out of the document: API documentation, CSP reports, and the local upload and picture routes.
const undescribed = /^\/(?:api\/(?:openapi\.json|docs|docs\/\{file\}|csp-reports|uploads)|pictures\/.*)$/
const calls = routeTable.filter(({ template }) => !undescribed.test(template))
const services = [...new Set(calls.map(({ to }) => to))].filter((service) => service !== 'gateway').toSorted()

const documents = await Promise.all(
  services.map(async (service) => {
    const text = await readFile(join(servicesFolder, service, 'openapi.json'), 'utf8')
    const document: unknown = JSON.parse(text)
    return [service, document] as const
  }),
)
const merged = mergeDocuments(calls, { ...Object.fromEntries(documents), gateway: await ownDocument() })
await writeFile(join(servicesFolder, 'gateway/openapi.json'), `${JSON.stringify(merged, null, 2)}\n`)
