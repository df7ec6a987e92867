import { useEffect } from 'react'
import { usualDescription } from '../rules/site.ts'

function canonicalLink(): HTMLLinkElement {
  const known = document.querySelector<HTMLLinkElement>('link[rel="canonical"]')
  if (known !== null) return known
  const link = document.createElement('link')
  link.rel = 'canonical'
  document.head.append(link)
  return link
}

/** Title, description and own address of the document, which web's server may have filled for the page opened first. */
export function usePageHead(title: string, description = usualDescription, path?: string): void {
  useEffect(() => {
    document.title = title
    document.querySelector('meta[name="description"]')?.setAttribute('content', description)
    canonicalLink().href = new URL(path ?? window.location.pathname, window.location.origin).href
  }, [title, description, path])
}
