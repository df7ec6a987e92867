import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

export interface Article {
  title: string
  /** Search words for the article, in addition to the words of its title. */
  keywords: string
  text: string
}

const folder = join(import.meta.dirname, '../../help')
const articlePattern = /^# ([^\n]+)\n\nWords: ([^\n]+)\n\n(.+)$/s

/**
 * Reads the help articles that are deployed with this version. Throws if an article is malformed. Called once, at the
 * start of the service.
 */
export function readArticles(): Article[] {
  const files = readdirSync(folder).filter((file) => file.endsWith('.md'))
  return files.toSorted().map((file) => parseArticle(file, readFileSync(join(folder, file), 'utf8')))
}

function parseArticle(file: string, content: string): Article {
  const [, title, keywords, text] = articlePattern.exec(content) ?? []
  if (!title || !keywords || !text) {
    throw new Error(`help/${file} must contain a title, a line that starts with "Words:", and a text.`)
  }
  return { title, keywords, text: text.trim() }
}
