/** A command of the image: returns its exit code. Errors are reported by their message. */
export type Command = (args: readonly string[], environment: NodeJS.ProcessEnv) => Promise<number>
