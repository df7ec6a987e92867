import type { FastifyInstance } from 'fastify'
import { z } from 'zod'

// What a browser says of a page that broke its policy, https://www.w3.org/TR/CSP3/#reporting. Cut short: it is logged.
const word = z.string().transform((text) => text.slice(0, 200))
const Report = z.object({
  body: z.object({ effectiveDirective: word, blockedURL: word.default(''), disposition: word.default('') }),
})
const Reports = z.array(Report).max(100)

const logEveryMs = 10_000

/** Takes in the reports of broken policies; at most one line goes to the log in ten seconds. */
export async function cspReportsRoutes(app: FastifyInstance): Promise<void> {
  let loggedAt = -logEveryMs
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
    if (first && performance.now() - loggedAt >= logEveryMs) {
      // The page's own address is left out: it can tell what somebody searched for.
      request.log.warn({ ...first.body, reports: unlogged }, 'a page broke its policy')
      loggedAt = performance.now()
      unlogged = 0
    }
    return reply.code(204).send()
  })
}
