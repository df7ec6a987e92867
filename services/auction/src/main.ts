import { runProcess } from '@marketplace/kit/app/process.ts'
import { readConfig } from './config.ts'
import { createAuctionService } from './service.ts'

await runProcess(() => createAuctionService(readConfig()))
