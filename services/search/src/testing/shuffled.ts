export function shuffled<Item>(items: readonly Item[]): Item[] {
  const keyed = items.map((item) => ({ item, key: Math.random() }))
  return keyed.toSorted((left, right) => left.key - right.key).map(({ item }) => item)
}
