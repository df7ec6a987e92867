import type { QueryClient } from '@tanstack/react-query'
import { initialDataId, type InitialData } from './initial-data.ts'
import { recordServerTime } from '../clock/server-clock.ts'
import { hydrateCache } from './hydrate-cache.ts'

interface DocumentTiming {
  sentAt: number
  receivedAt: number
}

/**
 * Returns the times, in ms, at which this document was requested and received. Returns null if the document came from a
 * cache, because its initial data is then too old to be used.
 */
function documentTiming(navigation: PerformanceEntry | undefined): DocumentTiming | null {
  if (!(navigation instanceof PerformanceNavigationTiming)) return null
  const { type, transferSize, requestStart, responseStart } = navigation
  if (type === 'back_forward' || transferSize === 0) return null
  return { sentAt: performance.timeOrigin + requestStart, receivedAt: performance.timeOrigin + responseStart }
}

/**
 * Moves the page's initial data into the query cache and records the server's time. Returns the time, in ms, at which
 * the server requested the data, or null if there is no usable initial data.
 */
export function takeInitialData(client: QueryClient): number | null {
  const element = document.getElementById(initialDataId)
  // Removes the structured data that the server inserted, because the page renders its own.
  document.querySelector('script[data-initial]')?.remove()
  element?.remove()
  const timing = documentTiming(performance.getEntriesByType('navigation')[0])
  if (!element?.textContent || timing === null) return null
  const data: InitialData = JSON.parse(element.textContent)
  recordServerTime(data.at, timing.sentAt, timing.receivedAt)
  hydrateCache(client, data, timing.receivedAt)
  return Date.parse(data.at)
}
