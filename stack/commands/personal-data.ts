// `npm run personal-data -- export|erase <account id or email>` runs the command of the users service with the settings
// of the stack in DATA_DIR.
import { runCommand } from './service-command.ts'

runCommand('users', 'personal-data', process.argv.slice(2))
