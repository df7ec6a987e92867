import { useEffect, useRef, type ReactNode } from 'react'
import classes from './PageHeading.module.css'

// Pages are drawn on the server too, where there is no window.
const openedAt = globalThis.window?.location.href

function isTyping(element: Element | null): boolean {
  return element instanceof HTMLInputElement || element instanceof HTMLTextAreaElement
}

type Props = { children: ReactNode; className?: string; id?: string }

/** The page's h1. After a navigation it takes the focus, so that keyboard and screen reader start at the new page. */
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
