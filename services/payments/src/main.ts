import { runProcess } from '@marketplace/kit/app/process.ts'
import { readConfig } from './config.ts'
import { createPaymentsService } from './service.ts'

await runProcess(() => createPaymentsService(readConfig()))
