import { runProcess } from '@marketplace/kit/app/process.ts'
import { readConfig } from './config.ts'
import { createGateway } from './service.ts'

await runProcess(() => createGateway(readConfig()))
