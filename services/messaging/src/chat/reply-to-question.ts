import type { Context } from '../context.ts'
import { matchArticles } from './articles.repo.ts'
import type { Question } from './prompt.ts'

// The page adds contact details to a reply that contains "sorry".
const fallbackReply = "I am sorry, I don't know. Please try other words, or choose one of the topics."

// Number of articles in the assistant's prompt. The fallback shows only the best match.
const articlesInPrompt = 4

/** Returns the assistant's reply, otherwise the best help article, otherwise a fallback text. */
export async function replyToQuestion({ db, articles, assistant }: Context, question: Question): Promise<string> {
  const matches = await matchArticles(db, articles, question.message)
  const reply = assistant && (await assistant(question, matches.slice(0, articlesInPrompt)))
  return reply ?? matches[0]?.text ?? fallbackReply
}
