// Run by the bench of pictures: `node process-photo.ts FILE TYPE FORMATS TIMES` processes a file as the picture worker does,
// and prints the seconds of each time, the CPU seconds of all and the most memory.
import { readFileSync } from 'node:fs'
import { createProcessing, restrictDecoders } from '../../services/catalog/src/picture/processing/create-processing.ts'
import { pictureFormats } from '@marketplace/contracts/pictures.ts'
import { pictureTypes } from '../../services/catalog/src/picture/picture.ts'

const [file = '', type = '', formats = '', times = '1'] = process.argv.slice(2)
restrictDecoders()
const processPicture = createProcessing(pictureFormats.filter((format) => formats.split(',').includes(format)))
const announced = pictureTypes.find((known) => known === type) ?? 'image/jpeg'
const bytes = readFileSync(file)
const seconds: number[] = []
const before = process.cpuUsage()
for (let time = 0; time < Number(times); time += 1) {
  const startedAt = performance.now()
  await processPicture(bytes, announced).catch(() => undefined)
  seconds.push((performance.now() - startedAt) / 1000)
}
const { user, system } = process.cpuUsage(before)
const { maxRSS: peakKib } = process.resourceUsage()
process.stdout.write(JSON.stringify({ seconds, cpuSeconds: (user + system) / 1e6, peakMib: peakKib / 1024 }))
