// `npm run stack:real` runs the marketplace on its own Postgres, Kafka and Redis, with two processes of each service.
// Needs Java, Maven and redis-server.
import { launch, type LaunchedStack } from './launch.ts'
import { startServers } from '../servers/servers.ts'
import { readStackOptions } from './settings.ts'
import { startStack } from './stack.ts'
import { programNames } from './topology.ts'

// The local identity provider and card network run as one process each.
const replicas = Object.fromEntries(
  programNames.filter((name) => name !== 'identity' && name !== 'cards').map((name) => [name, 2]),
)

await launch(async (report): Promise<LaunchedStack> => {
  const options = readStackOptions({ DATA_DIR: '.data/real', ...process.env })
  const { stop: stopServers, ...servers } = await startServers({ dataDir: options.dataDir, report })
  try {
    const stack = await startStack({ ...options, ...servers, replicas, report })
    const stop = async () => {
      await stack.stop()
      await stopServers()
    }
    return { url: stack.url, stop }
  } catch (error) {
    await stopServers()
    throw error
  }
})
