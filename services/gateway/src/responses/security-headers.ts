import { isLoopback } from '@marketplace/kit/auth/cookies.ts'

export type Headers = Readonly<Record<string, string>>

export interface SecurityHeaders {
  /** Headers of pages and files. */
  page: Headers
  /** Headers of API responses and of error responses. Their bodies are data, never an HTML document. */
  data: Headers
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

/**
 * Returns the security headers of public responses. `cardApiBase` is the card provider's URL when it is not Stripe's.
 */
export function securityHeaders(publicOrigin: string, cardApiBase: string | undefined): SecurityHeaders {
  const cardOrigin = cardApiBase === undefined ? '' : ` ${new URL(cardApiBase).origin}`
  const shared = {
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'same-origin',
    'cross-origin-opener-policy': 'same-origin',
    ...(!isLoopback(publicOrigin) && { 'strict-transport-security': 'max-age=31536000; includeSubDomains' }),
  }
  return {
    page: {
      ...shared,
      'content-security-policy': pagePolicy(cardOrigin),
      'permissions-policy': permissionsPolicy,
      'reporting-endpoints': 'csp="/api/csp-reports"',
    },
    data: { ...shared, 'content-security-policy': dataPolicy, 'cross-origin-resource-policy': 'same-origin' },
  }
}

function pagePolicy(cardOrigin: string): string {
  return [
    "default-src 'self'",
    "script-src 'self' https://js.stripe.com",
    `connect-src 'self' https://api.stripe.com${cardOrigin}`,
    'frame-src https://js.stripe.com https://hooks.stripe.com',
    "img-src 'self' https: data:",
    "object-src 'none'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
    "form-action 'self'",
    'report-to csp',
  ].join('; ')
}
