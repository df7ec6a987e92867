/** A command of the ops image. Returns its exit code. A thrown error is reported by its message. */
export type Command = (args: readonly string[], environment: NodeJS.ProcessEnv) => Promise<number>
