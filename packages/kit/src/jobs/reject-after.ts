/** Returns the result of `work`. Rejects with `message` if `work` takes longer than `timeoutMs`, but does not stop it. */
export async function rejectAfter<Result>(timeoutMs: number, message: string, work: Promise<Result>): Promise<Result> {
  let timer: NodeJS.Timeout | undefined
  const timeout = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(message)), Math.max(0, timeoutMs))
  })
  try {
    return await Promise.race([work, timeout])
  } finally {
    clearTimeout(timer)
  }
}
