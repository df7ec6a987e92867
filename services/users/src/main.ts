import { runProcess } from '@marketplace/kit/process.ts'
import { readConfig } from './config.ts'
import { createUsersService } from './service.ts'

await runProcess(() => createUsersService(readConfig()))
