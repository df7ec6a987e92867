/** A reason not to start that a person can act on; the launcher prints its sentence without a stack. */
export class StartError extends Error {}
