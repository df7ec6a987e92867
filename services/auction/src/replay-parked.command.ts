// `npm run replay-parked -w services/auction -- [consumer [id]]`: applies again what could not be applied when it came.
import { replayCommand } from '@marketplace/kit/replay-command.ts'
import { readConfig } from './config.ts'
import { createAuctionService } from './service.ts'

await replayCommand(() => createAuctionService(readConfig()))
