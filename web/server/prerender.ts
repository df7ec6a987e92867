import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { RenderPage } from '../src/app/render-page.types.ts'

/** The server build of the pages (build/server-render.ts). It is not served, because its folder starts with a dot. */
const renderModule = '.server/render-page.js'

const styleAttribute = / style="/g

export async function loadRenderPage(dist: string): Promise<RenderPage> {
  const { renderPage }: { renderPage: RenderPage } = await import(pathToFileURL(join(dist, renderModule)).href)
  return async (request) => {
    const html = await renderPage(request)
    // The Content-Security-Policy forbids style attributes; src/app/before-hydration.ts sets the styles by script.
    return html.replaceAll(styleAttribute, ' data-style="')
  }
}
