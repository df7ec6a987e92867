import type { PublicApp } from '@marketplace/kit/http/http.ts'
import { routeResponses } from '@marketplace/kit/http/responses.ts'
import { z } from 'zod'
import type { Context } from '../context.ts'

const StripeConfig = z
  .strictObject({ publishable_key: z.string(), api_base: z.url().nullable(), fee_basis_points: z.int() })
  .meta({ id: 'StripeConfig' })

/** Registers the route that returns the provider settings for the checkout page. */
export function providerRoutes(app: PublicApp, { settings }: Context): void {
  const {
    STRIPE_PUBLISHABLE_KEY: publishable_key,
    STRIPE_API_BASE: api_base = null,
    FEE_BASIS_POINTS: fee_basis_points,
  } = settings
  app.get(
    '/api/stripe/config',
    { config: { open: true, ignoresSession: true }, schema: { response: routeResponses({ 200: StripeConfig }) } },
    async () => ({ publishable_key, api_base, fee_basis_points }),
  )
}
