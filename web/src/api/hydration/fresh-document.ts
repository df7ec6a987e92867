function isFresh(): boolean {
  if (typeof document === 'undefined') return true
  const [navigation] = performance.getEntriesByType('navigation')
  return navigation instanceof PerformanceNavigationTiming && navigation.type === 'navigate'
}

/** True if a navigation opened the document, not a reload or going back. */
export const isFreshDocument = isFresh()
