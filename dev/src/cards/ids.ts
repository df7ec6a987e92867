import { randomInt } from 'node:crypto'

const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'

/** An id as Stripe writes them, such as `pi_3Nq…`. */
export function newId(prefix: string): string {
  return `${prefix}_${Array.from({ length: 24 }, () => LETTERS[randomInt(LETTERS.length)]).join('')}`
}

export function nowSeconds(): number {
  return Math.floor(Date.now() / 1000)
}
