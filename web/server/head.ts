import { escapeHtml, jsonForScript } from './escape.ts'
import type { Head } from './filling.ts'

/** The elements of the head that are the page's own. */
export function headElements(head: Head, status: number, origin: string): string {
  const url = head.canonicalPath === null ? null : new URL(head.canonicalPath, origin).href
  return [
    `<title>${escapeHtml(head.title)}</title>`,
    named('description', head.description),
    status === 404 ? named('robots', 'noindex') : '',
    url === null ? '' : `<link rel="canonical" href="${escapeHtml(url)}" />`,
    ...previewElements(head, url),
    preloadedPicture(head, origin),
    // Picked out by src/app/first-answer.ts once the page has its own.
    head.structured === null
      ? ''
      : `<script type="application/ld+json" data-filled>${jsonForScript(head.structured)}</script>`,
  ].join('')
}

function previewElements({ title, description, type, images }: Head, url: string | null): string[] {
  const [image] = images
  return [
    graph('og:site_name', 'Marketplace'),
    graph('og:type', type),
    graph('og:title', title),
    graph('og:description', description),
    url === null ? '' : graph('og:url', url),
    image === undefined ? '' : graph('og:image', image),
    named('twitter:card', image === undefined ? 'summary' : 'summary_large_image'),
  ]
}

// What the page shows largest; it would be found only when the page draws. Asked for as src/ui/Picture.tsx asks, so that it
// comes once; what the Content-Security-Policy keeps out is not asked for.
function preloadedPicture({ type, images: [image] }: Head, origin: string): string {
  const isAllowed = image?.startsWith('https://') || image?.startsWith(`${origin}/`)
  if (type !== 'product' || image === undefined || !isAllowed) return ''
  return `<link rel="preload" as="image" fetchpriority="high" referrerpolicy="no-referrer" href="${escapeHtml(image)}" />`
}

function named(name: string, content: string): string {
  return `<meta name="${name}" content="${escapeHtml(content)}" />`
}

function graph(property: string, content: string): string {
  return `<meta property="${property}" content="${escapeHtml(content)}" />`
}
