import type { QueryClient } from '@tanstack/react-query'
import { firstAnswerId, type FirstAnswer } from '../api/first-answer.ts'
import { noteServerTime } from '../api/server-clock.ts'
import { fillCache } from './fill-cache.ts'

type Arrival = { askedAt: number; arrivedAt: number }

/** When this document came; null when it is out of a cache, and what it says old. */
function arrivalOf(navigation: PerformanceEntry | undefined): Arrival | null {
  if (!(navigation instanceof PerformanceNavigationTiming)) return null
  const { type, transferSize, requestStart, responseStart } = navigation
  if (type === 'back_forward' || transferSize === 0) return null
  return { askedAt: performance.timeOrigin + requestStart, arrivedAt: performance.timeOrigin + responseStart }
}

/**
 * Takes over what web's server sent along with the page, as old as it is, and the server's time. Answers when the server drew
 * from it; null where nothing is taken over.
 */
export function takeFirstAnswer(client: QueryClient): number | null {
  const element = document.getElementById(firstAnswerId)
  // The page draws structured data of its own.
  document.querySelector('script[data-filled]')?.remove()
  element?.remove()
  const arrival = arrivalOf(performance.getEntriesByType('navigation')[0])
  if (!element?.textContent || arrival === null) return null
  const answer: FirstAnswer = JSON.parse(element.textContent)
  noteServerTime(answer.at, arrival.askedAt, arrival.arrivedAt)
  fillCache(client, answer, arrival.arrivedAt)
  return Date.parse(answer.at)
}
