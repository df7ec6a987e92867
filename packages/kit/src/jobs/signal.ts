export interface Signal {
  notify(): void
  /** Resolves on the next `notify`, immediately after one since the last wait, or after `timeoutMs`. Supports one waiter. */
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
