import { runProcess } from '@marketplace/kit/app/process.ts'
import { readConfig } from './config.ts'
import { createMessagingService } from './service.ts'

await runProcess(() => createMessagingService(readConfig()))
