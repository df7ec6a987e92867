import lighthouse, { type Result, type RunnerResult } from 'lighthouse'

const categories = ['performance', 'accessibility', 'best-practices', 'seo'] as const
const metrics = [
  'first-contentful-paint',
  'largest-contentful-paint',
  'total-blocking-time',
  'cumulative-layout-shift',
  'speed-index',
]

export type Category = (typeof categories)[number]

export interface Audit {
  /** From 0 to 100. */
  scores: Record<Category, number>
  /** The metrics of the performance score, as Lighthouse formats them. */
  metrics: string[]
  /** Largest Contentful Paint in milliseconds. */
  largestPaintMs: number
  /** The audits that cost points. */
  findings: string[]
  /** The speed of this machine during the run. Below 1,000, Lighthouse warns that the performance score is too low. */
  benchmarkIndex: number
  html: string
}

/** How often a visit is repeated whose trace does not contain the start of the navigation. */
const maxRuns = 5

interface Visit {
  url: string
  /** Port on which the browser listens. */
  port: number
  /** Names of audits that do not apply to the page. */
  skipAudits: string[]
}

async function runLighthouse({ url, port, skipAudits }: Visit, remainingRuns: number): Promise<RunnerResult> {
  // Mobile emulation and simulated throttling are Lighthouse's defaults.
  const run = await lighthouse(url, {
    port,
    output: 'html',
    logLevel: 'error',
    onlyCategories: [...categories],
    skipAudits,
  })
  if (run === undefined) throw new Error(`Lighthouse returned no result for ${url}.`)
  const error = run.lhr.runtimeError
  if (error === undefined) return run
  // On a busy machine, Chromium sometimes records the trace of a page without the event that starts the navigation.
  if (error.code === 'NO_NAVSTART' && remainingRuns > 1)
    return runLighthouse({ url, port, skipAudits }, remainingRuns - 1)
  throw new Error(`${url}: ${error.message}`)
}

/** Audits one visit of a page as on a phone. */
export async function auditPage(visit: Visit): Promise<Audit> {
  const { lhr, report } = await runLighthouse(visit, maxRuns)
  const score = (category: Category) => Math.round((lhr.categories[category]?.score ?? 0) * 100)
  return {
    scores: {
      performance: score('performance'),
      accessibility: score('accessibility'),
      'best-practices': score('best-practices'),
      seo: score('seo'),
    },
    largestPaintMs: lhr.audits['largest-contentful-paint']?.numericValue ?? Number.POSITIVE_INFINITY,
    metrics: metrics.map((name) => `${name} ${lhr.audits[name]?.displayValue ?? '?'}`),
    findings: categories.flatMap((category) => findingsOf(lhr, category)),
    benchmarkIndex: Math.round(lhr.environment.benchmarkIndex),
    html: [report].flat().join(''),
  }
}

function findingsOf(lhr: Result, category: Category): string[] {
  return (lhr.categories[category]?.auditRefs ?? [])
    .map(({ id }) => lhr.audits[id])
    .filter((audit) => audit !== undefined)
    .filter(({ score, scoreDisplayMode }) => score !== null && score < 0.9 && scoreDisplayMode !== 'informative')
    .map(({ id, displayValue }) => `${category}: ${id} ${displayValue ?? ''}`.trim())
}
