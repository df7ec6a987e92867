import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { z } from 'zod'
import type { Bench } from '../report/bench.ts'

const rounds = 3
const times = 8
const allFormats = 'avif,webp,jpeg'
const fewFormats = 'webp,jpeg'

const Measured = z.object({ seconds: z.array(z.number()), cpuSeconds: z.number(), peakMib: z.number() })

export const pictures: Bench = {
  title: 'Processing of pictures',
  method: [
    `The processing of the picture worker, in a process of its own with one thread: a photo of 12 megapixels ${times} times in each of ${rounds} rounds, to three formats (AVIF, WebP, JPEG; the default) and to two (WebP, JPEG; \`npm start\`); a photo of 50 megapixels once in each round for its memory; and a PNG of 20 kB that states a size of 50,000 × 50,000.`,
  ],
  plots: [],
  findings: [
    'AVIF takes half of the CPU time. On two cores with a load of 19: 0.75 pictures per CPU second for three formats and 2.7 for two; at AVIF effort 2 and WebP effort 4 it was 0.35 for three.',
  ],
  async run(print) {
    const folder = await mkdtemp(join(tmpdir(), 'marketplace-photos-'))
    try {
      await node('make-photos.ts', [folder])
      const measure = async (file: string, type: string, formats: string, count: number) =>
        Measured.parse(JSON.parse(await node('process-photo.ts', [join(folder, file), type, formats, String(count)])))
      const [three, two, large, bomb]: z.output<typeof Measured>[][] = [[], [], [], []]
      for (let round = 1; round <= rounds; round += 1) {
        three?.push(await measure('12.jpg', 'image/jpeg', allFormats, times))
        two?.push(await measure('12.jpg', 'image/jpeg', fewFormats, times))
        large?.push(await measure('50.jpg', 'image/jpeg', allFormats, 1))
        bomb?.push(await measure('bomb.png', 'image/png', allFormats, 1))
        print(`  round ${round} of ${rounds}`)
      }
      const valuesOf = (found: z.output<typeof Measured>[] = []) => ({
        p95: found.map(({ seconds }) => percentile(seconds, 0.95)),
        perCore: found.map(({ seconds, cpuSeconds }) => seconds.length / cpuSeconds),
        peak: found.map(({ peakMib }) => peakMib),
      })
      const figure = (of: string, what: string, values: number[]) => ({ of, side: 'worker', what, values })
      return {
        versions: [],
        figures: [
          figure('12 megapixels, three formats', 'p95 s', valuesOf(three).p95),
          figure('12 megapixels, two formats', 'p95 s', valuesOf(two).p95),
          figure('12 megapixels, three formats', 'pictures/s a core', valuesOf(three).perCore),
          figure('12 megapixels, two formats', 'pictures/s a core', valuesOf(two).perCore),
          figure('50 megapixels, three formats', 'peak MiB', valuesOf(large).peak),
        ],
        goals: [
          { goal: '12 megapixels, three formats: p95 s', bound: 'at most', target: 3, values: valuesOf(three).p95 },
          { goal: 'Pictures/s a core, three formats', bound: 'at least', target: 0.8, values: valuesOf(three).perCore },
          { goal: '50 megapixels: peak MiB', bound: 'at most', target: 400, values: valuesOf(large).peak },
          { goal: 'Decompression bomb: s until refused', bound: 'at most', target: 1, values: valuesOf(bomb).p95 },
        ],
      }
    } finally {
      await rm(folder, { recursive: true, force: true })
    }
  },
}

function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.ceil(sorted.length * share) - 1] ?? 0
}

async function node(program: string, args: readonly string[]): Promise<string> {
  const { stdout } = await promisify(execFile)(process.execPath, [join(import.meta.dirname, program), ...args])
  return stdout
}
