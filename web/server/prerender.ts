import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { RenderPage } from '../src/app/render-page.types.ts'

/**
 * Path of the server build of the pages (build/server-render.ts) in `dist`. Browsers cannot load this file, because
 * files in a folder whose name starts with a dot are not served.
 */
const renderModule = '.server/render-page.js'

const styleAttribute = / style="/g

export async function loadRenderPage(dist: string): Promise<RenderPage> {
  const { renderPage }: { renderPage: RenderPage } = await import(pathToFileURL(join(dist, renderModule)).href)
  return async (request) => {
    const html = await renderPage(request)
    // Renames style attributes, because the Content-Security-Policy forbids them in HTML. src/app/before-hydration.ts
    // applies the renamed attributes by script.
    return html.replaceAll(styleAttribute, ' data-style="')
  }
}
