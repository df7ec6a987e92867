/** Delays in ms before the first, second and third retry of an upload. */
export const retryDelaysMs = [1000, 4000, 15_000]
const maxRunning = 3

type Outcome = 'done' | 'retry'

export interface UploadQueue {
  /** Adds an upload to the queue. Does nothing if this upload is already waiting or running. */
  add: (key: string) => void
  /** Removes a waiting upload from the queue. A running upload continues, but is not retried. */
  remove: (key: string) => void
}

interface Settings {
  /** Uploads a photo. Resolves to `retry` after a transient error, otherwise to `done`. */
  upload: (key: string) => Promise<Outcome>
  /** Called when the last retry of an upload has failed. */
  onGivenUp: (key: string) => void
  /** Called when an upload waits for a retry. */
  onWaiting: (key: string) => void
}

/**
 * Creates a queue that runs at most three uploads at a time, in the order in which they were added. Retries an upload
 * after a transient error.
 */
export function createUploadQueue({ upload, onGivenUp, onWaiting }: Settings): UploadQueue {
  const known = new Set<string>()
  let waiting: string[] = []
  let running = 0

  async function run(key: string): Promise<void> {
    for (let retries = 0; known.has(key); retries += 1) {
      if ((await upload(key)) === 'done') return
      const delay = retryDelaysMs[retries]
      if (delay === undefined) return onGivenUp(key)
      onWaiting(key)
      await new Promise((resolve) => setTimeout(resolve, delay))
    }
  }

  function startNext(): void {
    const key = running < maxRunning ? waiting.shift() : undefined
    if (key === undefined) return
    running += 1
    void run(key).finally(() => {
      running -= 1
      known.delete(key)
      startNext()
    })
    startNext()
  }

  return {
    add(key) {
      if (known.has(key)) return
      known.add(key)
      waiting.push(key)
      startNext()
    },
    remove(key) {
      known.delete(key)
      waiting = waiting.filter((other) => other !== key)
    },
  }
}
