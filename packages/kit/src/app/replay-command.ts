import { SettingsError } from '../config/config.ts'
import type { Replay } from '../events/parked.ts'

/** The methods of a service that the command `replay-parked` calls. */
export interface Replayable {
  replayParked(consumer?: string, id?: number): Promise<Map<string, Replay>>
  stop(): Promise<void>
}

/**
 * Implements `npm run replay-parked -w services/<name> -- [consumer [id]]`. Replays parked events and prints the results.
 * Exits with code 1 if an event failed again.
 */
export async function replayCommand(open: () => Replayable): Promise<void> {
  const [consumer, id] = process.argv.slice(2)
  try {
    const service = open()
    const replays = await service.replayParked(consumer, id === undefined ? undefined : Number(id))
    await service.stop()
    for (const [name, replay] of replays) printReplay(name, replay)
    process.exit([...replays.values()].some(({ failed }) => failed.length > 0) ? 1 : 0)
  } catch (error) {
    process.stderr.write(`${error instanceof SettingsError ? error.message : textOf(error)}\n`)
    process.exit(1)
  }
}

function printReplay(consumer: string, { replayed, failed }: Replay): void {
  process.stdout.write(`${consumer}: ${replayed} replayed, ${failed.length} failed\n`)
  for (const { id, error } of failed)
    process.stdout.write(`  ${id}: ${error instanceof Error ? error.message : String(error)}\n`)
}

function textOf(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error)
}
