// The entry point of the ops image: `node main.ts <command> [argument…]` runs one command and exits with its code.
import { commands } from './commands/commands.ts'

const [name = '', ...args] = process.argv.slice(2)
const command = Object.hasOwn(commands, name) ? commands[name] : undefined

if (command) {
  try {
    process.exitCode = await command(args, process.env)
  } catch (error) {
    fail(error instanceof Error ? error.message : String(error))
  }
} else fail(`A command is required: node main.ts ${Object.keys(commands).join('|')}.`)

function fail(message: string): void {
  process.stderr.write(`${message}\n`)
  process.exitCode = 1
}
