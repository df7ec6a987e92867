import { launch } from './launch.ts'
import { readStackOptions } from './settings.ts'
import { startStack } from './stack.ts'

await launch((report) => startStack({ ...readStackOptions(), report }))
