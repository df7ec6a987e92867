import { runProcess } from '@marketplace/kit/process.ts'
import { readConfig } from './config.ts'
import { createAuctionService } from './service.ts'

await runProcess(() => createAuctionService(readConfig()))
