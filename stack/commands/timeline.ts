// `npm run trace -- <listing id>` prints the timeline of a listing in the stack of DATA_DIR, or on the server at
// DATABASE_URL.
import { runOpsCommand } from './ops-command.ts'

runOpsCommand('timeline', process.argv.slice(2))
