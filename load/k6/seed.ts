import { SharedArray } from 'k6/data'

// Parsed once for all virtual users.
const [given] = new SharedArray('seed', () => [JSON.parse(open(__ENV['SEED'] ?? ''))])

export const people: readonly string[] = given.people
export const listings: readonly string[] = given.listings
export const auctions: readonly string[] = given.auctions
export const endAt: number = given.endAt

/** The number of sellers at the start of the list; the others are buyers. */
export const sellers: number = given.sellers

export function buyer(number: number): string {
  const count = people.length - sellers
  return people[sellers + (number % count)] ?? ''
}

export function pick(items: readonly string[]): string {
  return items[Math.floor(Math.random() * items.length)] ?? ''
}
