// `npm run test:charts` runs stage A of the cluster tests, which needs no cluster. Its tools need Go and Python.
import { runSuites, runVitest } from '@marketplace/tools/run/suites.ts'

await runSuites('Charts', [['Charts', () => runVitest(['--config', 'vitest.charts.config.ts'])]])
