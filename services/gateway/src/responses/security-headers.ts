import { isLoopback } from '@marketplace/kit/auth/cookies.ts'

export type Headers = Readonly<Record<string, string>>

export interface SecurityHeaders {
  /** Headers of pages and files. */
  page: Headers
  /** Headers of API responses and of error responses. Their bodies are data, never an HTML document. */
  data: Headers
  /** Headers of responses that pages of any origin can embed and read, such as pictures. */
  shared: Headers
}

const dataPolicy = "default-src 'none'; sandbox; frame-ancestors 'none'"

// Only the Payment Request API is allowed, because Stripe's card form uses it in an iframe. The pages use none of the
// other features in this list.
const permissionsPolicy = [
  ...[
    'accelerometer',
    'camera',
    'display-capture',
    'geolocation',
    'gyroscope',
    'magnetometer',
    'microphone',
    'midi',
    'usb',
  ].map((feature) => `${feature}=()`),
  'payment=(self "https://js.stripe.com")',
].join(', ')

export interface AllowedOrigins {
  /** URL of the card provider if it is not Stripe. */
  cardApiBase?: string | undefined
  /** URL of the object store to which browsers upload pictures; undefined if they upload to the marketplace itself. */
  uploadUrl?: string | undefined
}

/**
 * Returns the security headers of public responses. The content security policy lets pages connect to the given URLs.
 */
export function securityHeaders(
  publicOrigin: string,
  { cardApiBase, uploadUrl }: AllowedOrigins = {},
): SecurityHeaders {
  const urls = [cardApiBase, uploadUrl].filter((url) => url !== undefined)
  const connected = urls.map((url) => ` ${new URL(url).origin}`).join('')
  const common = {
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'same-origin',
    'cross-origin-opener-policy': 'same-origin',
    ...(!isLoopback(publicOrigin) && { 'strict-transport-security': 'max-age=31536000; includeSubDomains' }),
  }
  return {
    page: {
      ...common,
      'content-security-policy': pagePolicy(connected),
      'permissions-policy': permissionsPolicy,
      'reporting-endpoints': 'csp="/api/csp-reports"',
    },
    data: { ...common, 'content-security-policy': dataPolicy, 'cross-origin-resource-policy': 'same-origin' },
    shared: {
      ...common,
      'content-security-policy': dataPolicy,
      'cross-origin-resource-policy': 'cross-origin',
      'access-control-allow-origin': '*',
      'timing-allow-origin': '*',
    },
  }
}

function pagePolicy(connected: string): string {
  return [
    "default-src 'self'",
    "script-src 'self' https://js.stripe.com",
    `connect-src 'self' https://api.stripe.com${connected}`,
    'frame-src https://js.stripe.com https://hooks.stripe.com',
    "img-src 'self' https: data: blob:",
    "object-src 'none'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
    "form-action 'self'",
    'report-to csp',
  ].join('; ')
}
