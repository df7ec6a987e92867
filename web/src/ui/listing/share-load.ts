/** Returns a function that calls `load` once and shares its promise. After a failure, the next call loads again. */
export function shareLoad(load: () => Promise<void>): () => Promise<void> {
  let loading: Promise<void> | undefined
  async function loadOrReset() {
    try {
      await load()
    } catch (error) {
      loading = undefined
      throw error
    }
  }
  return () => (loading ??= loadOrReset())
}
