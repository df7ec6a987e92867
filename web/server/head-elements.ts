import { sizesOf, sourcesOf } from '../src/rules/pictures.ts'
import { escapeHtml, jsonForScript } from './escape.ts'
import type { Head } from './page-data.ts'

export function headElements(head: Head, status: number, origin: string): string {
  const url = head.canonicalPath === null ? null : new URL(head.canonicalPath, origin).href
  return [
    `<title>${escapeHtml(head.title)}</title>`,
    named('description', head.description),
    status === 404 ? named('robots', 'noindex') : '',
    head.robots === undefined ? '' : named('robots', head.robots),
    url === null ? '' : `<link rel="canonical" href="${escapeHtml(url)}" />`,
    ...previewElements(head, url, origin),
    preloadedPicture(head, origin),
    // Structured data for search engines. In the browser, take-initial-data.ts removes this element, because the page
    // inserts its own.
    head.structured === null
      ? ''
      : `<script type="application/ld+json" data-initial>${jsonForScript(head.structured)}</script>`,
  ].join('')
}

function previewElements({ title, description, type, images }: Head, url: string | null, origin: string): string[] {
  const [image] = images
  return [
    graph('og:site_name', 'Marketplace'),
    graph('og:type', type),
    graph('og:title', title),
    graph('og:description', description),
    url === null ? '' : graph('og:url', url),
    image === undefined ? '' : graph('og:image', new URL(image, origin).href),
    named('twitter:card', image === undefined ? 'summary' : 'summary_large_image'),
  ]
}

// Returns a preload link for the main picture, so that the browser fetches the picture before the page renders. The
// attributes must match those in src/ui/listing/Picture.tsx, or the picture is fetched twice. Returns an empty string
// if there is no picture or if the Content-Security-Policy would block it.
function preloadedPicture({ mainPicture }: Head, origin: string): string {
  if (mainPicture === null) return ''
  const { href } = new URL(mainPicture.url, origin)
  if (!href.startsWith('https://') && !href.startsWith(`${origin}/`)) return ''
  const { facts } = mainPicture
  const [best] = facts === null ? [] : sourcesOf(facts)
  const sources =
    facts === null || best === undefined
      ? ` href="${escapeHtml(href)}"`
      : ` type="${best.type}" imagesrcset="${escapeHtml(best.srcSet)}" imagesizes="${escapeHtml(sizesOf(facts, 'gallery'))}"`
  return `<link rel="preload" as="image" fetchpriority="high" referrerpolicy="no-referrer"${sources} />`
}

function named(name: string, content: string): string {
  return `<meta name="${name}" content="${escapeHtml(content)}" />`
}

function graph(property: string, content: string): string {
  return `<meta property="${property}" content="${escapeHtml(content)}" />`
}
