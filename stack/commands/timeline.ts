// `npm run trace -- <listing id>`: the timeline of one listing in the stack of DATA_DIR, or in the database at DATABASE_URL.
import { runOpsCommand } from './ops-command.ts'

runOpsCommand('timeline', process.argv.slice(2))
