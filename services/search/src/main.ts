import { runProcess } from '@marketplace/kit/process.ts'
import { readConfig } from './config.ts'
import { createSearchService } from './service.ts'

await runProcess(() => createSearchService(readConfig()))
