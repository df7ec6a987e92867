// `npm run verify-invariants` checks the invariants of the stack in DATA_DIR, or on the server at DATABASE_URL.
import { runOpsCommand } from './ops-command.ts'

runOpsCommand('verify-invariants', process.argv.slice(2))
