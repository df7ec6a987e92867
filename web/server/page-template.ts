import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { initialDataId } from '../src/api/hydration/initial-data.ts'
import { beforeHydrationScript, preloadsOf, readChunks, type Chunks } from './chunks.ts'
import type { WebSettings } from './config.ts'
import { escapeHtml, jsonForScript } from './escape.ts'
import type { PageData } from './page-data.ts'
import { headElements } from './head-elements.ts'
import { moduleOf } from './pages.ts'

/**
 * Renders the HTML of a page. `rootHtml` is the prerendered content of #root, or empty if the page is rendered only in
 * the browser.
 */
export type PageTemplate = (path: string, pageData: PageData | null, rootHtml: string) => string

const supportEmail = /(<meta name="support-email" content=")[^"]*"/
const defaultHead = /<meta\s+name="description"\s+content="[^"]*"\s*\/?>|<title>[^<]*<\/title>/g
const rootStart = '<div id="root">'

/**
 * Reads index.html once and returns a function that fills it in for each request. The title and description in the page
 * data replace those in index.html.
 */
export async function readTemplate(
  dist: string,
  settings: Pick<WebSettings, 'SUPPORT_EMAIL' | 'PUBLIC_ORIGIN'>,
): Promise<PageTemplate> {
  const [index, chunks] = await Promise.all([readFile(join(dist, 'index.html'), 'utf8'), readChunks(dist)])
  const email = escapeHtml(settings.SUPPORT_EMAIL)
  const plain = index.replace(supportEmail, (_all, start: string) => `${start}${email}"`)
  const untitled = plain.replaceAll(defaultHead, '')
  const prerendered = { plain: forPrerender(plain, chunks), untitled: forPrerender(untitled, chunks) }
  return (path, pageData, rootHtml) => {
    const isPrerendered = rootHtml !== ''
    const page = isPrerendered ? prerendered : { plain, untitled }
    const parts = { head: linksOf(chunks, path, isPrerendered), root: rootHtml, body: initialDataElement(pageData) }
    if (pageData === null || pageData.head === null) return insert(page.plain, parts)
    const head = headElements(pageData.head, pageData.status, settings.PUBLIC_ORIGIN)
    return insert(page.untitled, { ...parts, head: head + parts.head })
  }
}

// Defers all scripts except before-hydration.ts. That script is inserted at the start of the head, because the first
// paint waits for it.
function forPrerender(page: string, chunks: Chunks): string {
  return deferScripts(page).replace('<head>', `<head>${beforeHydrationScript(chunks)}`)
}

// Prefixes the `type` of scripts and the `rel` of preload links with `deferred-`, so that the browser ignores these
// elements until before-hydration.ts loads them.
function deferScripts(html: string): string {
  return html
    .replaceAll('<script type="module"', '<script type="deferred-module"')
    .replaceAll('<link rel="modulepreload"', '<link rel="deferred-modulepreload"')
}

function linksOf(chunks: Chunks, path: string, isPrerendered: boolean): string {
  const module = moduleOf(path)
  const preloads = module === undefined ? '' : preloadsOf(chunks, module)
  return isPrerendered ? deferScripts(preloads) : preloads
}

function initialDataElement(pageData: PageData | null): string {
  if (pageData === null || pageData.initialData === null) return ''
  return `<script type="application/json" id="${initialDataId}">${jsonForScript(pageData.initialData)}</script>`
}

interface Parts {
  head: string
  root: string
  body: string
}

// Inserts the parts by position. String.replace is not used, because it would interpret `$&` in the inserted text.
function insert(page: string, { head, root, body }: Parts): string {
  const headEnd = page.indexOf('</head>')
  const rootAt = page.indexOf(rootStart) + rootStart.length
  const bodyEnd = page.lastIndexOf('</body>')
  return (
    page.slice(0, headEnd) +
    head +
    page.slice(headEnd, rootAt) +
    root +
    page.slice(rootAt, bodyEnd) +
    body +
    page.slice(bodyEnd)
  )
}
