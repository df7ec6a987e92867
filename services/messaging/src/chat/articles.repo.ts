import { sql } from 'kysely'
import type { Db } from '../db.ts'
import type { Article } from './articles.ts'

// A word of the title or of the words beside it is enough to fit; one of the text alone says little.
const weights = { title: 4, words: 3, text: 1 }

/**
 * The articles that fit a question, the best first; none by a word of its text alone. The articles travel with the query
 * (20 kB), so pods of two versions each answer from their own and nothing has to be loaded.
 */
export async function matchArticles(db: Db, articles: readonly Article[], question: string): Promise<Article[]> {
  const parts = articles.flatMap(({ title, words, text }, place) => [
    { place, weight: weights.title, body: title },
    { place, weight: weights.words, body: words },
    { place, weight: weights.text, body: text },
  ])
  // Rare words say more than those of many articles; `ts_rank` knows nothing of that, nor of how long the question is.
  const { rows } = await sql<{ place: number }>`
    with asked as (
      select unnest(tsvector_to_array(to_tsvector('english', ${question}))) as word
    ), known as (
      select place, lexeme as word, weight
      from json_to_recordset(${JSON.stringify(parts)}::json) as part (place int, weight int, body text),
        unnest(to_tsvector('english', body))
    ), best as (
      select place, word, max(weight) as weight from known join asked using (word) group by place, word
    ), rare as (
      select word, ln(1 + ${articles.length}::float8 / count(*)) as rarity from best group by word
    )
    select place from best join rare using (word)
    group by place having max(weight) >= ${weights.words}
    order by sum(weight * rarity) desc, place`.execute(db)
  return rows.flatMap(({ place }) => articles[place] ?? [])
}
