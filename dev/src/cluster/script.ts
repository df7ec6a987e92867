import { run } from '../run.ts'
import { StartError } from '../start-error.ts'

/** Runs a command of the repo; throws with the last that it said. */
export async function script(path: string, args: readonly string[] = [], env: NodeJS.ProcessEnv = {}): Promise<string> {
  const { code, output } = await run(path, args, { env })
  if (code !== 0) throw new StartError(`${path} failed: ${output.trim().split('\n').slice(-3).join(' ')}`)
  return output
}
