import { useEffect } from 'react'

const usualDescription = document.querySelector<HTMLMetaElement>('meta[name="description"]')?.content ?? ''

/** Title and description of the document; without a description, the one index.html came with. */
export function usePageHead(title: string, description = usualDescription): void {
  useEffect(() => {
    document.title = title
    document.querySelector('meta[name="description"]')?.setAttribute('content', description)
  }, [title, description])
}
