import { productionSettings } from '@marketplace/stack/launcher/topology.ts'
import { startProviders } from '../support/processes/providers.ts'
import { test as base } from '../support/processes/stack.ts'
import { declareJourney } from './journey.ts'

// External providers, which are set by OIDC_* and STRIPE_*.
const given = base.extend({
  stackOptions: [
    // oxlint-disable-next-line no-empty-pattern -- Playwright reads a fixture's needs from its parameter
    async ({}, use) => {
      const providers = await startProviders()
      await use(providers.stackOptions)
      await providers.stop()
    },
    { scope: 'worker' },
  ],
})

const production = base.extend({ stackOptions: [{ env: productionSettings }, { scope: 'worker' }] })

declareJourney(given, 'the given sign-in and card providers')
declareJourney(production, 'the settings of production')
