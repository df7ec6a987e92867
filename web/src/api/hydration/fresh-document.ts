function isFresh(): boolean {
  if (typeof document === 'undefined') return true
  const [navigation] = performance.getEntriesByType('navigation')
  return navigation instanceof PerformanceNavigationTiming && navigation.type === 'navigate'
}

/** True if the document was opened by a link or a typed URL, false after a reload or after going back or forward. */
export const isFreshDocument = isFresh()
