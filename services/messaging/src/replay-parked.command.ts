// `npm run replay-parked -w services/messaging -- [consumer [id]]`: applies again what could not be applied when it came.
import { replayCommand } from '@marketplace/kit/replay-command.ts'
import { readConfig } from './config.ts'
import { createMessagingService } from './service.ts'

await replayCommand(() => createMessagingService(readConfig()))
