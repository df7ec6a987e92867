// `npm test` runs the tests of the packages, the services and the web app on one embedded Postgres, then a journey
// in a browser. `npm run test:system` runs the rest.
import { runPlaywright, runSuites, runVitest } from '@marketplace/tools/run/suites.ts'

await runSuites('Tests', [
  ['Packages, services and web app', () => runVitest(['--exclude', '{bench,load,ops,providers,stack,tests,tools}/**'])],
  ['The journey in the browser', () => runPlaywright(['journeys/journey.spec.ts'])],
])
