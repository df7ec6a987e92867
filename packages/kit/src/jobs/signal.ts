export interface Signal {
  notify(): void
  /**
   * Resolves on the next `notify` or after `timeoutMs`. Resolves immediately if `notify` was called since the previous wait.
   * Only one caller may wait at a time.
   */
  wait(timeoutMs: number): Promise<void>
}

/** Creates a wake-up signal for one loop. A `notify` between two waits ends the next wait, so no wake-up is lost. */
export function createSignal(): Signal {
  let isNotified = false
  let wake: (() => void) | undefined
  return {
    notify() {
      isNotified = true
      wake?.()
    },
    async wait(timeoutMs) {
      if (!isNotified) {
        await new Promise<void>((resolve) => {
          const timer = setTimeout(resolve, timeoutMs)
          wake = () => {
            clearTimeout(timer)
            resolve()
          }
        })
      }
      wake = undefined
      isNotified = false
    },
  }
}
