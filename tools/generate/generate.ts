// `npm run generate` writes the contracts from proto, the OpenAPI documents, their merge, the web app's client, CREDITS.md and
// the generated parts of docs/.
import { regenerate } from './generated.ts'

const { code, output } = await regenerate()
if (code !== 0) process.stderr.write(`${output}\n`)
process.exitCode = code
