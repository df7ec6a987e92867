import type { InitialData } from '../../src/api/hydration/initial-data.ts'

const elementWith = (attributes: string) => new RegExp(`<script ${attributes}>([^<]*)</script>`)

export function initialDataOf(body: string): InitialData {
  return JSON.parse(elementWith('type="application/json" id="initial-data"').exec(body)?.[1] ?? 'null')
}

export function structuredOf(body: string) {
  return JSON.parse(elementWith('type="application/ld\\+json" data-initial').exec(body)?.[1] ?? 'null')
}

/** Returns the prerendered content of the page; empty if the browser renders it. */
export function rootHtmlOf(body: string): string | undefined {
  return /<div id="root">(.*)<\/div>\n\s*<noscript>/.exec(body)?.[1]
}

export function summaryOf({ statusCode, body }: { statusCode: number; body: string }) {
  return {
    statusCode,
    title: /<title>(.*)<\/title>/.exec(body)?.[1],
    description: /<meta\s+name="description"\s+content="([^"]*)"/.exec(body)?.[1],
    hasInitialData: body.includes('initial-data'),
    rootHtml: rootHtmlOf(body),
  }
}
