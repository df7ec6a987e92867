/** Printed with the results. It determines which moments and processes are hit. */
export const seed = Number(process.env['CHAOS_SEED'] ?? Date.now() % 1_000_000)

let state = seed

/** Returns a number from 0 to 1 by the run's seed (mulberry32). */
export function random(): number {
  state = (state + 0x6d2b79f5) | 0
  let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
  mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
  return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
}

export function pick<Item>(items: readonly Item[]): Item {
  const item = items[Math.floor(random() * items.length)]
  if (item === undefined) throw new Error('The list to pick from is empty.')
  return item
}

export function shuffled<Item>(items: readonly Item[]): Item[] {
  return items
    .map((item) => ({ item, place: random() }))
    .toSorted((a, b) => a.place - b.place)
    .map(({ item }) => item)
}

export function pause(fromMs: number, toMs = fromMs): Promise<void> {
  return new Promise((done) => setTimeout(done, fromMs + random() * (toMs - fromMs)))
}
