/** An error that the user can fix. The launcher prints its message without a stack trace. */
export class StartError extends Error {}

/** Returns the message of an error, or its code: the error of several addresses, as of localhost, has no message. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  return error.message || ('code' in error ? String(error.code) : error.name)
}
