import { runProcess } from '@marketplace/kit/app/process.ts'
import { readConfig } from './config.ts'
import { createCatalogService } from './service.ts'

await runProcess(() => createCatalogService(readConfig()))
