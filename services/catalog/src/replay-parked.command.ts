// `npm run replay-parked -w services/catalog -- [consumer [id]]`: applies parked events again.
import { replayCommand } from '@marketplace/kit/app/replay-command.ts'
import { readConfig } from './config.ts'
import { createCatalogService } from './service.ts'

await replayCommand(() => createCatalogService(readConfig()))
