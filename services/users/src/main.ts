import { runProcess } from '@marketplace/kit/app/process.ts'
import { readConfig } from './config.ts'
import { createUsersService } from './service.ts'

await runProcess(() => createUsersService(readConfig()))
