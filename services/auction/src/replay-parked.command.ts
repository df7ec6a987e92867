// Retries the events in the table `parked`, which a consumer failed to apply.
// Usage: `npm run replay-parked -w services/auction -- [consumer [id]]`.
import { replayCommand } from '@marketplace/kit/app/replay-command.ts'
import { readConfig } from './config.ts'
import { createAuctionService } from './service.ts'

await replayCommand(() => createAuctionService(readConfig()))
