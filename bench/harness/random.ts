export interface Random {
  /** A number in [0, 1). */
  next(): number
  /** An integer below `most`. */
  below(most: number): number
  pick<Item>(items: readonly [Item, ...Item[]]): Item
}

/** Returns the same sequence of numbers for the same seed (mulberry32). */
export function random(seed: number): Random {
  let state = seed >>> 0
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  const below = (most: number) => Math.floor(next() * most)
  return { next, below, pick: (items) => items[below(items.length)] ?? items[0] }
}
