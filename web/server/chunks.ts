import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'

/** Vite's manifest: which files a module of the source became, and what those load. */
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
  if (chunk === undefined) throw new Error(`The build has no ${key}.`)
  return chunk
}

/** The files that come with the entry and these modules, each once: what a page loads before it shows. */
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

/** The script that runs before the first paint of a page that the server drew. */
export function beforeDrawing(chunks: Chunks): string {
  const { file } = chunkOf(chunks, 'src/app/before-drawing.ts')
  return `<script src="/${file}" defer blocking="render"></script>`
}

/** Links for what a page's module loads beyond the entry, so that the browser fetches it beside the entry, not after it. */
export function preloadsOf(chunks: Chunks, module: string): string {
  const known = new Set(filesOf(chunks, []))
  const files = filesOf(chunks, [module]).filter((file) => !known.has(file))
  const links = files.map((file) =>
    file.endsWith('.css')
      ? `<link rel="stylesheet" crossorigin href="/${file}" />`
      : `<link rel="modulepreload" crossorigin href="/${file}" />`,
  )
  return links.join('')
}
