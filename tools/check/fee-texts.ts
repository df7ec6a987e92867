import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { defaultFeeBasisPoints, formatRate } from '@marketplace/contracts/fee.ts'
import { root, type Finished } from '../run/run.ts'

const texts = [
  'web/src/chat/topics.ts',
  'web/src/features/legal/TermsPage.tsx',
  'services/messaging/help/fees.md',
  'services/messaging/help/getting-paid.md',
]

/** Returns whether a text states this rate and no other one. */
export function statesRate(text: string, rate: string): boolean {
  const stated = text.match(/\d+(?:\.\d+)?(?= ?%)/g) ?? []
  return stated.length > 0 && stated.every((number) => `${number}%` === rate)
}

/** Names the texts that state another rate of the fee than the default. */
export async function checkFeeTexts(): Promise<Finished> {
  const rate = formatRate(defaultFeeBasisPoints)
  const read = await Promise.all(texts.map(async (path) => [path, await readFile(join(root, path), 'utf8')] as const))
  const wrong = read.filter(([, text]) => !statesRate(text, rate)).map(([path]) => `${path} does not state ${rate}.`)
  return { code: wrong.length > 0 ? 1 : 0, output: wrong.join('\n') }
}
