function isFresh(): boolean {
  if (typeof document === 'undefined') return true
  const [navigation] = performance.getEntriesByType('navigation')
  return navigation instanceof PerformanceNavigationTiming && navigation.type === 'navigate'
}

/** Opened anew: not loaded again, nor come back to. */
export const isFreshDocument = isFresh()
