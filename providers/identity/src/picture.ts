import { createHash } from 'node:crypto'

const gradients = [
  ['#f2b880', '#d9793d'],
  ['#9cc5a1', '#49866b'],
  ['#a9b8e8', '#5b6fb8'],
  ['#e8a9b4', '#b85b74'],
  ['#8fc7cf', '#3d8494'],
  ['#d3b6e0', '#8a5fa3'],
  ['#e6cf86', '#b08a2e'],
] as const

/**
 * Returns a picture of the person's initials on a color that is derived from the email address. It is a data URL, because the pages
 * load pictures only over https.
 */
export function pictureOf(email: string, name: string): string {
  const [light, dark] =
    gradients[(createHash('sha256').update(email).digest()[0] ?? 0) % gradients.length] ?? gradients[0]
  const initials = name
    .split(' ')
    .map((word) => word.slice(0, 1))
    .filter((letter) => /[\p{L}\p{N}]/u.test(letter))
    .slice(0, 2)
    .join('')
    .toUpperCase()
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 96 96"><defs><linearGradient id="g" x2="0" y2="1"><stop stop-color="${light}"/><stop offset="1" stop-color="${dark}"/></linearGradient></defs><rect width="96" height="96" fill="url(#g)"/><text x="48" y="50" fill="#fff" font-family="system-ui,sans-serif" font-size="38" font-weight="600" text-anchor="middle" dominant-baseline="central">${initials}</text></svg>`
  return `data:image/svg+xml;base64,${Buffer.from(svg).toString('base64')}`
}
