// `npm run replay-parked -- <service> [consumer [id]]` runs the command of that service with the settings of the stack
// in DATA_DIR.
import { runCommand } from './service-command.ts'
import { schemas } from '@marketplace/contracts/services.ts'

const [given, ...rest] = process.argv.slice(2)
const service = schemas.find((name) => name === given)
if (service) runCommand(service, 'replay-parked', rest)
else {
  process.stderr.write(`A service is required: npm run replay-parked -- ${schemas.join('|')} [consumer [id]].\n`)
  process.exitCode = 1
}
