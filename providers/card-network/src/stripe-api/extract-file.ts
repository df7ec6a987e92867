import { readFileSync, writeFileSync } from 'node:fs'
import { fetchDocument, source } from './document.ts'
import { extractUsedParts, type Extract } from './extract.ts'

const file = new URL('./extract.gen.json', import.meta.url)

/** Reads the committed extract. */
export function readExtract(): Extract {
  return JSON.parse(readExtractText())
}

export function readExtractText(): string {
  return readFileSync(file, 'utf8')
}

/** Extracts the used parts of the pinned document again. */
export async function createExtract(): Promise<Extract> {
  return extractUsedParts(await fetchDocument(), source.module)
}

export function toText(extract: Extract): string {
  return `${JSON.stringify(extract, undefined, 1)}\n`
}

export async function writeExtract(): Promise<{ version: string; calls: number; schemas: number; bytes: number }> {
  const extract = await createExtract()
  const { version, requests, definitions } = extract
  const text = toText(extract)
  writeFileSync(file, text)
  return { version, calls: Object.keys(requests).length, schemas: Object.keys(definitions).length, bytes: text.length }
}
