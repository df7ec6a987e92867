// Applies parked events again: events that a consumer failed to apply and stored in the table `parked`.
// Usage: `npm run replay-parked -w services/users -- [consumer [id]]`.
import { replayCommand } from '@marketplace/kit/app/replay-command.ts'
import { readConfig } from './config.ts'
import { createUsersService } from './service.ts'

await replayCommand(() => createUsersService(readConfig()))
