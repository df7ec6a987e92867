import { runProcess } from '@marketplace/kit/app/process.ts'
import { readConfig } from './config.ts'
import { createSearchService } from './service.ts'

await runProcess(() => createSearchService(readConfig()))
