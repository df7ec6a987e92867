// Maximum number of concurrent searches. It is needed because crawlers try arbitrary URLs, and each URL with a search
// or filter causes a search.
const maxRunning = 20

/** Runs a search, or returns undefined at once if too many are running. */
export type RunSearch = <Result>(search: () => Promise<Result>) => Promise<Result | undefined>

/** Limits how many searches of prerendered pages run at the same time. */
export function limitSearches(): RunSearch {
  let running = 0
  return async (search) => {
    if (running >= maxRunning) return undefined
    running++
    try {
      return await search()
    } finally {
      running--
    }
  }
}
