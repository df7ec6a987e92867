import type { Context } from '../context.ts'
import { matchArticles } from './articles.repo.ts'
import type { Question } from './prompt.ts'

// The web page adds contact details to replies that contain the word "sorry", so this reply must contain it.
const fallbackReply = "I am sorry, I don't know. Please try other words, or choose one of the topics."

const articlesInPrompt = 4

/**
 * Returns the assistant's reply. If there is none, returns the best matching help article, or a fixed text if no
 * article matches.
 */
export async function replyToQuestion({ db, articles, assistant }: Context, question: Question): Promise<string> {
  const matches = await matchArticles(db, articles, question.message)
  const reply = assistant && (await assistant(question, matches.slice(0, articlesInPrompt)))
  return reply ?? matches[0]?.text ?? fallbackReply
}
