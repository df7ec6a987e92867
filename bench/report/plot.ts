import type { Figure } from './bench.ts'
import { spread } from './statistics.ts'
import { groupBy, number } from './words.ts'

const size = { width: 720, left: 64, right: 16, top: 64, plot: 220, bottom: 36 }
// Distinguishable with red-green color blindness, on white and on black.
const colors = ['#3b82c4', '#d98a29', '#7a8792', '#2f9e77', '#b2569a']
const text = 'font-family="system-ui, sans-serif" font-size="12"'

/**
 * Draws an SVG bar chart: a group for each thing measured, a color for each side. Logarithmic, because sides differ by
 * orders of magnitude.
 */
export function drawBars(title: string, figures: readonly Figure[]): string {
  const height = size.top + size.plot + size.bottom
  const sides = [...new Set(figures.map(({ side }) => side))]
  const scale = logarithmic(figures.flatMap(({ values }) => values))
  const groups = [...groupBy(figures, ({ of }) => of)]
  const step = (size.width - size.left - size.right) / Math.max(1, groups.length)
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${size.width} ${height}" role="img" aria-label="${escaped(title)}">`,
    `<rect width="100%" height="100%" fill="#fff"/>`,
    label({ x: 16, y: 24, anchor: 'start' }, title, 'font-weight="600"'),
    ...sides.map((side, place) => legend(side, place)),
    ...scale.ticks.map((tick) => line(tick, scale.y(tick))),
    ...groups.flatMap(([of, ofOne], place) => group({ of, ofOne, sides, step, from: size.left + place * step, scale })),
    '</svg>\n',
  ].join('\n')
}

interface Scale {
  y(value: number): number
  ticks: number[]
}

interface BarGroup {
  of: string
  ofOne: readonly Figure[]
  sides: readonly string[]
  from: number
  step: number
  scale: Scale
}

function logarithmic(values: readonly number[]): Scale {
  const positive = values.filter((value) => value > 0)
  const least = Math.floor(Math.log10(Math.min(...positive)))
  const most = Math.max(least + 1, Math.ceil(Math.log10(Math.max(...positive))))
  const bottom = size.top + size.plot
  return {
    y: (value) => bottom - ((Math.log10(Math.max(value, 10 ** least)) - least) / (most - least)) * size.plot,
    ticks: Array.from({ length: most - least + 1 }, (_, place) => 10 ** (least + place)),
  }
}

function group({ of, ofOne, sides, from, step, scale }: BarGroup): string[] {
  const width = Math.min(48, (step * 0.8) / sides.length)
  const start = from + (step - width * sides.length) / 2
  const bars = ofOne.flatMap(({ side, values }) => {
    const place = sides.indexOf(side)
    return bar({ x: start + place * width, width: width - 3, colour: colorOf(place), values, scale })
  })
  return [...bars, label({ x: from + step / 2, y: size.top + size.plot + 20, anchor: 'middle' }, of)]
}

interface Bar {
  x: number
  width: number
  colour: string
  values: readonly number[]
  scale: Scale
}

function bar({ x, width, colour, values, scale }: Bar): string[] {
  const { median, least, most } = spread(values)
  const [top, middle] = [scale.y(median), x + width / 2]
  const height = size.top + size.plot - top
  return [
    `<rect x="${short(x)}" y="${short(top)}" width="${short(width)}" height="${short(height)}" fill="${colour}"/>`,
    `<path d="M${short(middle)} ${short(scale.y(least))}V${short(scale.y(most))}" stroke="#222" stroke-width="1.5"/>`,
    label({ x: middle, y: scale.y(most) - 5, anchor: 'middle' }, number(median)),
  ]
}

function legend(side: string, place: number): string {
  const x = size.left + place * 130
  return `<rect x="${x}" y="36" width="12" height="12" fill="${colorOf(place)}"/>${label({ x: x + 18, y: 46, anchor: 'start' }, side)}`
}

function line(tick: number, y: number): string {
  const path = `<path d="M${size.left} ${short(y)}H${size.width - size.right}" stroke="#ddd"/>`
  return (
    path + label({ x: size.left - 8, y: y + 4, anchor: 'end' }, tick >= 1 ? tick.toLocaleString('en-US') : String(tick))
  )
}

function label({ x, y, anchor }: { x: number; y: number; anchor: string }, words: string, more = ''): string {
  return `<text x="${short(x)}" y="${short(y)}" text-anchor="${anchor}" fill="#222" ${text} ${more}>${escaped(words)}</text>`
}

function colorOf(place: number): string {
  return colors[place % colors.length] ?? '#000'
}

function short(value: number): string {
  return String(Number(value.toFixed(1)))
}

function escaped(words: string): string {
  return words.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;')
}
