import { root, run, type Finished } from '@marketplace/tools/run/run.ts'
import { createExtract, readExtractText, toText } from './extract-file.ts'
import { findUncheckedRequests } from './sdk-calls.ts'
import { openTypes } from './types.ts'

/** Fails when the parameters of a Stripe SDK call have no `satisfies` with their type. */
export function checkRequests(): Finished {
  const types = openTypes()
  try {
    const problems = findUncheckedRequests(types.project).map((problem) => problem.replace(`${root}/`, ''))
    return { code: problems.length > 0 ? 1 : 0, output: problems.join('\n') }
  } finally {
    types.close()
  }
}

/** Fails when the committed extract differs from one of the pinned document. Passes with a note when Go is missing. */
export async function checkExtract(): Promise<Finished> {
  const go = await run('go', ['version'])
  if (go.code !== 0) return { code: 0, output: 'Note: not compared with the document, which needs Go.' }
  const isSame = toText(await createExtract()) === readExtractText()
  return { code: isSame ? 0 : 1, output: 'extract.gen.json is out of date: npm run generate:stripe.' }
}
