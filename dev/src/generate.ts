// `npm run generate`: contracts from proto, OpenAPI from the services, their merge, and the web app's client from that.
import { regenerate } from './generated.ts'

const { code, output } = await regenerate()
if (code !== 0) process.stderr.write(`${output}\n`)
process.exitCode = code
