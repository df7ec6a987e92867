import { useEffect, useRef, type ReactNode } from 'react'
import classes from './PageHeading.module.css'

// URL with which the document was opened; undefined on the server.
const openedAt = globalThis.window?.location.href

function isTyping(element: Element | null): boolean {
  return element instanceof HTMLInputElement || element instanceof HTMLTextAreaElement
}

interface Props {
  children: ReactNode
  className?: string
  id?: string
}

/**
 * The h1 of a page, which receives the focus after a navigation, so that screen readers start at the top of the new
 * page.
 */
export function PageHeading({ children, className, id }: Props) {
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    const isFirstPage = window.location.href === openedAt
    if (!isFirstPage && !isTyping(document.activeElement)) heading.current?.focus({ preventScroll: true })
  }, [])
  return (
    <h1
      ref={heading}
      id={id}
      dir="auto"
      tabIndex={-1}
      className={className === undefined ? classes.heading : className}
    >
      {children}
    </h1>
  )
}
