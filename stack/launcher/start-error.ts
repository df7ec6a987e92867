/** An error that the user can fix. The launcher prints its message without a stack trace. */
export class StartError extends Error {}
