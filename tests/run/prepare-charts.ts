// Builds the tools of `npm run test:charts` ahead of it, which takes minutes where nothing is cached.
import { prepareTools } from '../deploy/tools.ts'

await prepareTools()
