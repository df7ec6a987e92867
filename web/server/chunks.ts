import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'

/** Vite's manifest, which maps each source module to its built file, imports and style sheets. */
const Chunks = z.record(
  z.string(),
  z.object({ file: z.string(), imports: z.array(z.string()).default([]), css: z.array(z.string()).default([]) }),
)

export type Chunks = z.output<typeof Chunks>

const entry = 'index.html'

export async function readChunks(dist: string): Promise<Chunks> {
  return Chunks.parse(JSON.parse(await readFile(join(dist, '.vite/manifest.json'), 'utf8')))
}

function chunkOf(chunks: Chunks, key: string): Chunks[string] {
  const chunk = chunks[key]
  if (chunk === undefined) throw new Error(`The build does not contain ${key}.`)
  return chunk
}

/**
 * Returns the built files, without duplicates, of the entry module, the given modules and everything that they import.
 */
export function filesOf(chunks: Chunks, modules: readonly string[]): string[] {
  const found = new Set<string>()
  const files = new Set<string>()
  const visit = (key: string) => {
    const chunk = chunkOf(chunks, key)
    if (found.has(key)) return
    found.add(key)
    for (const file of [chunk.file, ...chunk.css]) files.add(file)
    chunk.imports.forEach(visit)
  }
  for (const module of [entry, ...modules]) visit(module)
  return [...files]
}

/**
 * Returns the element that loads before-hydration.ts. This script runs before the first paint of a prerendered page.
 */
export function beforeHydrationScript(chunks: Chunks): string {
  const { file } = chunkOf(chunks, 'src/app/before-hydration.ts')
  return `<script src="/${file}" defer blocking="render"></script>`
}

/**
 * Returns links to the files that a page needs in addition to those of the entry module, so that the browser fetches
 * all files in parallel.
 */
export function preloadsOf(chunks: Chunks, module: string): string {
  const entryFiles = new Set(filesOf(chunks, []))
  const files = filesOf(chunks, [module]).filter((file) => !entryFiles.has(file))
  const links = files.map((file) =>
    file.endsWith('.css')
      ? `<link rel="stylesheet" crossorigin href="/${file}" />`
      : `<link rel="modulepreload" crossorigin href="/${file}" />`,
  )
  return links.join('')
}
