import { launch } from './launch.ts'
import { readStackOptions } from './stack/settings.ts'
import { startStack } from './stack.ts'

await launch((report) => startStack({ ...readStackOptions(), report }))
