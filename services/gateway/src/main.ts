import { runProcess } from '@marketplace/kit/process.ts'
import { readConfig } from './config.ts'
import { createGateway } from './service.ts'

await runProcess(() => createGateway(readConfig()))
