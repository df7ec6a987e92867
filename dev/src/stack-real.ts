// `npm run stack:real`: the marketplace on a Postgres, a Kafka and a Redis of its own, with two processes of each service;
// needs Java, Maven and redis-server.
import { launch, type Launched } from './launch.ts'
import { startServers } from './servers.ts'
import { readStackOptions } from './stack/settings.ts'
import { startStack } from './stack.ts'
import { PROGRAMS } from './wiring.ts'

// The local provider and card network are one each, as theirs are.
const replicas = Object.fromEntries(
  PROGRAMS.filter((name) => name !== 'identity' && name !== 'cards').map((name) => [name, 2]),
)

await launch(async (report): Promise<Launched> => {
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
