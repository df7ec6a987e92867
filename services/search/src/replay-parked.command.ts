// Retries the events in the table `parked`, which a consumer failed to apply.
// Usage: `npm run replay-parked -w services/search -- [consumer [id]]`.
import { replayCommand } from '@marketplace/kit/app/replay-command.ts'
import { readConfig } from './config.ts'
import { createSearchService } from './service.ts'

await replayCommand(() => createSearchService(readConfig()))
