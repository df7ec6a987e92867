function isFresh(): boolean {
  if (typeof document === 'undefined') return true
  const [navigation] = performance.getEntriesByType('navigation')
  return navigation instanceof PerformanceNavigationTiming && navigation.type === 'navigate'
}

/** True if the document was opened by a navigation, not by a reload or by going back. */
export const isFreshDocument = isFresh()
