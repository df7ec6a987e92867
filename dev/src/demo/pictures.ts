import { mkdirSync, readFileSync, renameSync, writeFileSync, existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import type { DemoListing } from './listings.ts'

type Ground = { readonly wall: string; readonly light: string; readonly floor: string }

// Calm, warm grounds as of a small photo studio; neighbours in the list differ enough to sit side by side.
const GROUNDS: readonly Ground[] = [
  { wall: '#e9d7c1', light: '#f8efe2', floor: '#d9bf9f' },
  { wall: '#cfd8c6', light: '#ebf0e3', floor: '#b3c1a6' },
  { wall: '#e8c9b8', light: '#f8e6dc', floor: '#d3a68e' },
  { wall: '#c9d5de', light: '#e8eff3', floor: '#abbcc9' },
  { wall: '#ead8a9', light: '#f9f0d3', floor: '#d6bc7c' },
  { wall: '#dccbd6', light: '#f2e8ef', floor: '#c0a8b8' },
  { wall: '#d8d2c8', light: '#f1ede6', floor: '#bdb4a6' },
  { wall: '#c3dad6', light: '#e3f0ed', floor: '#a0c1bb' },
]

const VIEWS = [
  { size: 660, x: 270, ground: 0 },
  { size: 860, x: 60, ground: 3 },
] as const

/** The names of a listing's pictures, the main one first. */
export function pictureNames(listing: DemoListing): string[] {
  const slug = listing.title
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '')
  return VIEWS.map((_, view) => `${slug}-${view + 1}.svg`)
}

/** Draws what is missing: an object of the Fluent set (MIT) on a studio ground. */
export function drawPictures(folder: string, listings: readonly DemoListing[]): void {
  mkdirSync(folder, { recursive: true })
  const objects = join(
    dirname(createRequire(import.meta.url).resolve('@lobehub/fluent-emoji-3d/package.json')),
    'assets',
  )
  for (const [place, listing] of listings.entries()) {
    for (const [view, name] of pictureNames(listing).entries()) {
      const file = join(folder, name)
      if (existsSync(file)) continue
      const object = readFileSync(join(objects, `${listing.picture}.webp`)).toString('base64')
      writeFileSync(`${file}.new`, draw(object, place, view))
      renameSync(`${file}.new`, file)
    }
  }
}

function draw(object: string, place: number, view: number): string {
  const { size, x, ground: turn } = VIEWS[view] ?? VIEWS[0]
  const { wall, light, floor } = GROUNDS[(place * 3 + turn) % GROUNDS.length] ??
    GROUNDS[0] ?? { wall: '', light: '', floor: '' }
  // The set's objects stand on a line at 92 % of their height.
  const base = view === 0 ? 790 : 860
  const y = Math.round(base - size * 0.92)
  const centre = x + size / 2
  return `<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" viewBox="0 0 1200 900" width="1200" height="900">
<defs>
<radialGradient id="w" cx="${view === 0 ? 0.5 : 0.35}" cy="0.36" r="0.75"><stop stop-color="${light}"/><stop offset="1" stop-color="${wall}"/></radialGradient>
<linearGradient id="f" x2="0" y2="1"><stop stop-color="${floor}" stop-opacity="0"/><stop offset=".35" stop-color="${floor}" stop-opacity=".75"/><stop offset="1" stop-color="${floor}"/></linearGradient>
<radialGradient id="s"><stop stop-color="#3a2a1c" stop-opacity=".42"/><stop offset=".55" stop-color="#3a2a1c" stop-opacity=".18"/><stop offset="1" stop-color="#3a2a1c" stop-opacity="0"/></radialGradient>
</defs>
<rect width="1200" height="900" fill="url(#w)"/><rect y="${base - 150}" width="1200" height="${1050 - base}" fill="url(#f)"/>
<ellipse cx="${centre}" cy="${base}" rx="${Math.round(size * 0.46)}" ry="${Math.round(size * 0.075)}" fill="url(#s)"/>
<image href="data:image/webp;base64,${object}" x="${x}" y="${y}" width="${size}" height="${size}"/>
</svg>
`
}
