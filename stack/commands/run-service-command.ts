// `npm run service-command -- <service> <command> [argument…]` runs a command of a service, such as `search rebuild`,
// with the settings of the stack in DATA_DIR.
import { runCommand } from './service-command.ts'
import { schemas } from '@marketplace/contracts/services.ts'

const [given, command, ...args] = process.argv.slice(2)
const service = schemas.find((name) => name === given)
if (service && command) runCommand(service, command, args)
else {
  const usage = `npm run service-command -- ${schemas.join('|')} <command> [argument…]`
  process.stderr.write(`A service and a command are required: ${usage}.\n`)
  process.exitCode = 1
}
