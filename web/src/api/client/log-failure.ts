/** Logs a failure to the console. The product specification requires this for failures that the page does not show. */
export function logFailure(message: string, ...causes: unknown[]): void {
  // oxlint-disable-next-line no-console
  console.error(message, ...causes)
}
