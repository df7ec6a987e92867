// `npm run generate:stripe` extracts the used part of Stripe's OpenAPI document from the Go module that contains it.
import { writeExtract } from '@marketplace/card-network/stripe-api/extract-file.ts'

const { version, calls, schemas, bytes } = await writeExtract()
process.stdout.write(`API ${version}: ${calls} calls and ${schemas} schemas, ${Math.round(bytes / 1000)} kB\n`)
