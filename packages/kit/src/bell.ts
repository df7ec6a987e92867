export interface Bell {
  ring(): void
  /** Resolves at the next ring, at once when it rang since the last wait, or when the time is over. One waiter at a time. */
  wait(timeoutMs: number): Promise<void>
}

/** Lets a loop sleep without missing what happens meanwhile. */
export function createBell(): Bell {
  let hasRung = false
  let wake: (() => void) | undefined
  return {
    ring() {
      hasRung = true
      wake?.()
    },
    async wait(timeoutMs) {
      if (!hasRung) {
        await new Promise<void>((resolve) => {
          const timer = setTimeout(resolve, timeoutMs)
          wake = () => {
            clearTimeout(timer)
            resolve()
          }
        })
      }
      wake = undefined
      hasRung = false
    },
  }
}
