import { openAccount } from '../testing/provider-account.ts'
import { providerConformance } from './provider.conformance.ts'

// Set by `npm run check:stripe`, which validates the key before it runs this file.
const secretKey = process.env['STRIPE_SECRET_KEY'] ?? ''

providerConformance('Stripe’s sandbox', async () => ({ ...openAccount({ secretKey }), close: async () => {} }))
