import { useEffect, useState, type RefObject } from 'react'

/** The button is raised above these elements. */
const barSelector = '[data-bottom-bar]'
/** The button is hidden while it would cover one of these elements. */
const clearSelector = '[data-keep-clear]'

const gapPx = 12
/** Shorter scroll movements are ignored. */
const minScrollPx = 8
const endPx = 4

function overlaps(one: DOMRect, other: DOMRect): boolean {
  const isBeside = one.right <= other.left || one.left >= other.right
  return !isBeside && one.bottom > other.top && one.top < other.bottom
}

function rectsOf(selector: string): DOMRect[] {
  return [...document.querySelectorAll(selector)].map((element) => element.getBoundingClientRect())
}

/** Returns how far, in pixels, `rect` must be raised so that it covers no bar at the bottom of the window. */
function raiseAboveBars(rect: DOMRect): number {
  const bars = rectsOf(barSelector).toSorted((one, other) => other.top - one.top)
  return bars.reduce((raise, bar) => {
    const raised = new DOMRect(rect.x, rect.y - raise - gapPx, rect.width, rect.height + 2 * gapPx)
    return overlaps(raised, bar) ? rect.bottom - bar.top + gapPx : raise
  }, 0)
}

function isAtEnd(): boolean {
  return window.scrollY + window.innerHeight >= document.documentElement.scrollHeight - endPx
}

/** Returns a function that tells whether the user's most recent scroll was downward. */
function trackScrolling(): () => boolean {
  let lastY = window.scrollY
  let isDown = false
  return () => {
    const { scrollY } = window
    if (Math.abs(scrollY - lastY) >= minScrollPx) {
      isDown = scrollY > lastY
      lastY = scrollY
    }
    return isDown
  }
}

/**
 * Raises the chat button above bars at the bottom of the window (CSS variable `--raise`). Returns whether to hide the
 * button: while it would cover an element that must stay visible, or after a scroll down that did not reach the end of
 * the page.
 */
export function useButtonPlace(widget: RefObject<HTMLElement | null>): boolean {
  const [isConcealed, setIsHidden] = useState(false)
  useEffect(() => {
    let frame = 0
    let shownRaise = 0
    const isScrolledDown = trackScrolling()
    function place() {
      frame = 0
      if (widget.current === null) return
      const rect = widget.current.getBoundingClientRect()
      const raise = raiseAboveBars(rect)
      const raised = new DOMRect(rect.x, rect.y - raise, rect.width, rect.height)
      const isCovering =
        raise > window.innerHeight / 2 || rectsOf(clearSelector).some((clear) => overlaps(raised, clear))
      // Setting an unchanged value would make the browser compute the styles again.
      if (raise !== shownRaise) widget.current.style.setProperty('--raise', `${raise}px`)
      shownRaise = raise
      setIsHidden((isScrolledDown() && !isAtEnd()) || isCovering)
    }
    const schedule = () => {
      if (frame === 0) frame = requestAnimationFrame(place)
    }
    const mutations = new MutationObserver(schedule)
    mutations.observe(document.body, { childList: true, subtree: true })
    // `input` is needed, because the MutationObserver does not report a text box that grows while the user types.
    const events = ['scroll', 'resize', 'input'] as const
    for (const event of events) window.addEventListener(event, schedule, { passive: true })
    schedule()
    return () => {
      cancelAnimationFrame(frame)
      mutations.disconnect()
      for (const event of events) window.removeEventListener(event, schedule)
    }
  }, [widget])
  return isConcealed
}
