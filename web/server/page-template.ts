import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { firstAnswerId } from '../src/api/first-answer.ts'
import { preloadsOf, readChunks } from './chunks.ts'
import type { WebSettings } from './config.ts'
import { escapeHtml, jsonForScript } from './escape.ts'
import type { Filling } from './filling.ts'
import { headElements } from './head.ts'
import { moduleOf } from './pages.ts'

export type PageTemplate = (path: string, filling: Filling | null) => string

const supportEmail = /(<meta name="support-email" content=")[^"]*"/
const usualHead = /<meta\s+name="description"\s+content="[^"]*"\s*\/?>|<title>[^<]*<\/title>/g

/** index.html as built, read once. A filling replaces title and description; without one the page goes out plain. */
export async function readTemplate(
  dist: string,
  settings: Pick<WebSettings, 'SUPPORT_EMAIL' | 'PUBLIC_ORIGIN'>,
): Promise<PageTemplate> {
  const [index, chunks] = await Promise.all([readFile(join(dist, 'index.html'), 'utf8'), readChunks(dist)])
  const email = escapeHtml(settings.SUPPORT_EMAIL)
  const plain = index.replace(supportEmail, (_all, start: string) => `${start}${email}"`)
  const untitled = plain.replaceAll(usualHead, '')
  return (path, filling) => {
    const module = moduleOf(path)
    const preloads = module === undefined ? '' : preloadsOf(chunks, module)
    if (filling === null) return insert(plain, { head: preloads, body: '' })
    const { answer } = filling
    return insert(untitled, {
      head: headElements(filling, settings.PUBLIC_ORIGIN) + preloads,
      body:
        answer === null
          ? ''
          : `<script type="application/json" id="${firstAnswerId}">${jsonForScript(answer)}</script>`,
    })
  }
}

// By position: a text that is inserted is never searched itself, and `$&` in it is no command.
function insert(page: string, { head, body }: { head: string; body: string }): string {
  const headEnd = page.indexOf('</head>')
  const bodyEnd = page.lastIndexOf('</body>')
  return page.slice(0, headEnd) + head + page.slice(headEnd, bodyEnd) + body + page.slice(bodyEnd)
}
