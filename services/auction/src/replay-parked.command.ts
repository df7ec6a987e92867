// `npm run replay-parked -w services/auction -- [consumer [id]]`: applies parked events again.
import { replayCommand } from '@marketplace/kit/app/replay-command.ts'
import { readConfig } from './config.ts'
import { createAuctionService } from './service.ts'

await replayCommand(() => createAuctionService(readConfig()))
