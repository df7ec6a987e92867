import { useEffect } from 'react'
import { defaultDescription } from '../../rules/site.ts'

function canonicalLink(): HTMLLinkElement {
  const existing = document.querySelector<HTMLLinkElement>('link[rel="canonical"]')
  if (existing !== null) return existing
  const link = document.createElement('link')
  link.rel = 'canonical'
  document.head.append(link)
  return link
}

/**
 * Sets the title, description and canonical URL of the document. On the first page, the web server may already have set them.
 */
export function usePageHead(title: string, description = defaultDescription, path?: string): void {
  useEffect(() => {
    document.title = title
    document.querySelector('meta[name="description"]')?.setAttribute('content', description)
    canonicalLink().href = new URL(path ?? window.location.pathname, window.location.origin).href
  }, [title, description, path])
}
