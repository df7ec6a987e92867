import { randomInt } from 'node:crypto'

const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'

/** Returns an id in Stripe's format, such as `pi_3Nq…`. */
export function newId(prefix: string): string {
  return `${prefix}_${Array.from({ length: 24 }, () => letters[randomInt(letters.length)]).join('')}`
}

export function nowSeconds(): number {
  return Math.floor(Date.now() / 1000)
}
