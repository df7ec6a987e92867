// `npm run replay-parked -- <service> [consumer [id]]`: that service's own command with the settings of the stack in DATA_DIR.
import { runCommand } from './service-command.ts'
import { SCHEMAS } from './wiring.ts'

const [given, ...rest] = process.argv.slice(2)
const service = SCHEMAS.find((name) => name === given)
if (service) runCommand(service, 'replay-parked', rest)
else {
  process.stderr.write(`Name a service: npm run replay-parked -- ${SCHEMAS.join('|')} [consumer [id]].\n`)
  process.exitCode = 1
}
