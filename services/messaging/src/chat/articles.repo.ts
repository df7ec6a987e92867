import { sql } from 'kysely'
import type { Db } from '../db.ts'
import type { Article } from './articles.ts'

// Weights of a matching word by article field. Articles that match only in `text` are not returned.
const weights = { title: 4, keywords: 3, text: 1 }

/** Returns the articles that match a question, best match first. */
export async function matchArticles(db: Db, articles: readonly Article[], question: string): Promise<Article[]> {
  const fields = articles.flatMap(({ title, keywords, text }, article) => [
    { article, weight: weights.title, body: title },
    { article, weight: weights.keywords, body: keywords },
    { article, weight: weights.text, body: text },
  ])
  // `ts_rank` is not used, because it ignores the rarity of words and the length of the question.
  const { rows } = await sql<{ article: number }>`
    with question as (
      select unnest(tsvector_to_array(to_tsvector('english', ${question}))) as word
    ), indexed as (
      select article, lexeme as word, weight
      from json_to_recordset(${JSON.stringify(fields)}::json) as field (article int, weight int, body text),
        unnest(to_tsvector('english', body))
    ), matched as (
      select article, word, max(weight) as weight from indexed join question using (word) group by article, word
    ), rarities as (
      select word, ln(1 + ${articles.length}::float8 / count(*)) as rarity from matched group by word
    )
    select article from matched join rarities using (word)
    group by article having max(weight) >= ${weights.keywords}
    order by sum(weight * rarity) desc, article`.execute(db)
  return rows.flatMap(({ article }) => articles[article] ?? [])
}
