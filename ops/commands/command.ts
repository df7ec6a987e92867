/** A command of the ops image. Returns the exit code. If the command throws, the message of the error is printed. */
export type Command = (args: readonly string[], environment: NodeJS.ProcessEnv) => Promise<number>
