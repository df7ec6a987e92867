import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { DrawPage } from '../src/app/draw-page.types.ts'

/** React on the server, built beside the files for the browser (build/server-drawing.ts) and, beginning with a dot, not served. */
const drawing = '.server/draw-page.js'

const styleAttribute = / style="/g

export async function readDrawing(dist: string): Promise<DrawPage> {
  const { drawPage }: { drawPage: DrawPage } = await import(pathToFileURL(join(dist, drawing)).href)
  return async (request) => {
    const html = await drawPage(request)
    // The Content-Security-Policy lets scripts set styles, not HTML: src/app/before-drawing.ts does.
    return html.replaceAll(styleAttribute, ' data-style="')
  }
}
