import type { FastifyInstance } from 'fastify'
import { z } from 'zod'

// Text from a CSP violation report. It is truncated to 200 characters, because it is logged.
const LoggedText = z.string().transform((text) => text.slice(0, 200))
const Report = z.object({
  body: z.object({
    effectiveDirective: LoggedText,
    blockedURL: LoggedText.default(''),
    disposition: LoggedText.default(''),
  }),
})
const Reports = z.array(Report).max(100)

const logIntervalMs = 10_000

/** Accepts browsers' reports of content security policy violations. Logs at most one report per ten seconds. */
export async function cspReportsRoutes(app: FastifyInstance): Promise<void> {
  let loggedAt = -logIntervalMs
  let unlogged = 0
  app.addContentTypeParser(
    'application/reports+json',
    { parseAs: 'string' },
    app.getDefaultJsonParser('error', 'error'),
  )
  app.post('/api/csp-reports', async (request, reply) => {
    const reports = Reports.safeParse(request.body)
    unlogged += reports.data?.length ?? 0
    const [first] = reports.data ?? []
    if (first && performance.now() - loggedAt >= logIntervalMs) {
      // The URL of the page is omitted, because it can contain search terms.
      request.log.warn({ ...first.body, reports: unlogged }, 'csp violation reported')
      loggedAt = performance.now()
      unlogged = 0
    }
    return reply.code(204).send()
  })
}
