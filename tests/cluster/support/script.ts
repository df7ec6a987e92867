import { run } from '@marketplace/tools/run/run.ts'
import { StartError } from '@marketplace/stack/launcher/start-error.ts'

/** Runs a command of the repository; throws with the last lines of its output when it fails. */
export async function script(path: string, args: readonly string[] = [], env: NodeJS.ProcessEnv = {}): Promise<string> {
  const { code, output } = await run(path, args, { env })
  if (code !== 0) throw new StartError(`${path} failed: ${output.trim().split('\n').slice(-3).join(' ')}`)
  return output
}
