/** Runs a part of a start and reports its duration. */
export async function step<T>(
  report: ((line: string) => void) | undefined,
  title: string,
  work: () => Promise<T>,
): Promise<T> {
  const startedAt = performance.now()
  const result = await work()
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(1)
  report?.(`${title.padEnd(20)} ${seconds.padStart(5)} s`)
  return result
}
