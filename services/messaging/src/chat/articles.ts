import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

export interface Article {
  title: string
  /** What people call it; counts as much as the title. */
  words: string
  text: string
}

const folder = join(import.meta.dirname, '../../help')
const form = /^# ([^\n]+)\n\nWords: ([^\n]+)\n\n(.+)$/s

/** The help articles of this version, read once at start. */
export function readArticles(): Article[] {
  const files = readdirSync(folder).filter((file) => file.endsWith('.md'))
  return files.toSorted().map((file) => parseArticle(file, readFileSync(join(folder, file), 'utf8')))
}

function parseArticle(file: string, content: string): Article {
  const [, title, words, text] = form.exec(content) ?? []
  if (!title || !words || !text) throw new Error(`help/${file} is not a title, its words and a text.`)
  return { title, words, text: text.trim() }
}
