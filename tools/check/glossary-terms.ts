/** A term of the glossary's last column: `name` is an identifier, 'text' a whole string literal, "text" a phrase. */
export interface BannedTerm {
  term: string
  kind: 'identifier' | 'file' | 'literal' | 'phrase'
  folders: readonly string[]
}

const sections = /^### .+\n+Folders: (.+)\.\n+((?:\|.*\n)+)/gm
const quoted = /`'([^`']+)'`|`([^`]+)`|"([^"]+)"/g

/** Reads the last column of every table of the vocabulary. */
export function readBannedTerms(glossary: string): BannedTerm[] {
  const vocabulary = glossary.split('\n## 2. ')[0] ?? ''
  return [...vocabulary.matchAll(sections)].flatMap(([, names = '', table = '']) => {
    const folders = [...names.matchAll(/`([^`]+)`/g)].map(([, folder = '']) => folder)
    const rows = table.trim().split('\n').slice(2)
    return rows.flatMap((row) => termsOf(row.split('|').at(-2) ?? '', folders))
  })
}

function termsOf(cell: string, folders: readonly string[]): BannedTerm[] {
  return [...cell.matchAll(quoted)].map(([, literal, name, phrase]) => {
    if (literal !== undefined) return { term: literal, kind: 'literal', folders }
    if (phrase !== undefined) return { term: phrase, kind: 'phrase', folders }
    const term = name ?? ''
    return { term, kind: /\.[jt]sx?$/.test(term) ? 'file' : 'identifier', folders }
  })
}
