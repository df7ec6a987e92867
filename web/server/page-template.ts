import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { firstAnswerId } from '../src/api/first-answer.ts'
import { beforeDrawing, preloadsOf, readChunks, type Chunks } from './chunks.ts'
import type { WebSettings } from './config.ts'
import { escapeHtml, jsonForScript } from './escape.ts'
import type { Filling } from './filling.ts'
import { headElements } from './head.ts'
import { moduleOf } from './pages.ts'

/** `drawn` is the HTML of #root; empty where the page draws itself. */
export type PageTemplate = (path: string, filling: Filling | null, drawn: string) => string

const supportEmail = /(<meta name="support-email" content=")[^"]*"/
const usualHead = /<meta\s+name="description"\s+content="[^"]*"\s*\/?>|<title>[^<]*<\/title>/g
const rootStart = '<div id="root">'

/** index.html as built, read once. A filling replaces title and description; without one the page goes out plain. */
export async function readTemplate(
  dist: string,
  settings: Pick<WebSettings, 'SUPPORT_EMAIL' | 'PUBLIC_ORIGIN'>,
): Promise<PageTemplate> {
  const [index, chunks] = await Promise.all([readFile(join(dist, 'index.html'), 'utf8'), readChunks(dist)])
  const email = escapeHtml(settings.SUPPORT_EMAIL)
  const plain = index.replace(supportEmail, (_all, start: string) => `${start}${email}"`)
  const untitled = plain.replaceAll(usualHead, '')
  const [drawnPlain, drawnUntitled] = [forDrawing(plain, chunks), forDrawing(untitled, chunks)]
  return (path, filling, drawn) => {
    const isDrawn = drawn !== ''
    const parts = { head: linksOf(chunks, path, isDrawn), root: drawn, body: answerElement(filling) }
    if (filling === null || filling.head === null) return insert(isDrawn ? drawnPlain : plain, parts)
    const head = headElements(filling.head, filling.status, settings.PUBLIC_ORIGIN)
    return insert(isDrawn ? drawnUntitled : untitled, { ...parts, head: head + parts.head })
  }
}

// Deferred scripts run in the order in which they stand: behind the page's own, this one would wait for it, and the paint too.
function forDrawing(page: string, chunks: Chunks): string {
  return later(page).replace('<head>', `<head>${beforeDrawing(chunks)}`)
}

// Where all is drawn already, scripts are fetched once it shows: src/app/before-drawing.ts finds them by these names.
function later(html: string): string {
  return html
    .replaceAll('<script type="module"', '<script type="later-module"')
    .replaceAll('<link rel="modulepreload"', '<link rel="later-modulepreload"')
}

function linksOf(chunks: Chunks, path: string, isDrawn: boolean): string {
  const module = moduleOf(path)
  const preloads = module === undefined ? '' : preloadsOf(chunks, module)
  return isDrawn ? later(preloads) : preloads
}

function answerElement(filling: Filling | null): string {
  if (filling === null || filling.answer === null) return ''
  return `<script type="application/json" id="${firstAnswerId}">${jsonForScript(filling.answer)}</script>`
}

type Parts = { head: string; root: string; body: string }

// By position: a text that is inserted is never searched itself, and `$&` in it is no command.
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
