/**
 * Formats cents as US dollars, like `Intl` for en-US. `Intl` is not used, because creating the first formatter takes 60
 * to 140 ms on a phone.
 */
export function formatCents(cents: number): string {
  const digits = String(Math.abs(cents)).padStart(3, '0')
  const whole = digits.slice(0, -2).replace(/\B(?=(?:\d{3})+$)/g, ',')
  return `${cents < 0 ? '-' : ''}$${whole}.${digits.slice(-2)}`
}

/** Parses an entered amount (`20`, `$20`, `1,234.5`) to cents; null if it is invalid or has more than two decimals. */
export function parseDollars(text: string): number | null {
  const plain = text.trim().replace(/^\$\s*/, '')
  const match = /^(\d+|\d{1,3}(?:,\d{3})+)?(?:\.(\d{0,2}))?$/.exec(plain)
  if (!match || !/\d/.test(plain)) return null
  const whole = (match[1] ?? '0').replaceAll(',', '')
  const cents = Number(whole + (match[2] ?? '').padEnd(2, '0'))
  return Number.isSafeInteger(cents) ? cents : null
}

/**
 * Converts cents to dollars for a request. No rounding is needed: JSON prints an integer divided by 100 with at most
 * two decimals.
 */
export function toDollars(cents: number): number {
  return cents / 100
}
