// `npm run replay-parked -w services/search -- [consumer [id]]`: applies parked events again.
import { replayCommand } from '@marketplace/kit/app/replay-command.ts'
import { readConfig } from './config.ts'
import { createSearchService } from './service.ts'

await replayCommand(() => createSearchService(readConfig()))
