/** Formats a limit for people: 1000 is `1,000`. */
export function formatLimit(max: number): string {
  return max.toLocaleString('en-US')
}
