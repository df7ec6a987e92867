export function shuffled<Item>(items: readonly Item[]): Item[] {
  const places = items.map((item) => ({ item, place: Math.random() }))
  return places.toSorted((left, right) => left.place - right.place).map(({ item }) => item)
}
