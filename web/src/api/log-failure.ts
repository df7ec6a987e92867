/** The console is where the specification wants failures that the page does not show. */
export function logFailure(message: string, ...causes: unknown[]): void {
  // oxlint-disable-next-line no-console
  console.error(message, ...causes)
}
