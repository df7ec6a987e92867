import { prepareTools } from './tools.ts'

/** Vitest calls it once before the chart tests. */
export async function setup(): Promise<void> {
  await prepareTools()
}
