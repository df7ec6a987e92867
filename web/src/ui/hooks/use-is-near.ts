import { useEffect, useRef, useState, type RefObject } from 'react'

const margin = '400px'

/** Returns a ref for an element, and whether the visitor has scrolled close to the element. */
export function useIsNear(): [RefObject<HTMLDivElement | null>, boolean] {
  const element = useRef<HTMLDivElement>(null)
  const [isNear, setIsNear] = useState(false)
  useEffect(() => {
    if (element.current === null) return undefined
    const observer = new IntersectionObserver(([entry]) => entry?.isIntersecting === true && setIsNear(true), {
      rootMargin: margin,
    })
    observer.observe(element.current)
    return () => observer.disconnect()
  }, [])
  return [element, isNear]
}
