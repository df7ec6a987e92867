import type { Context } from '../context.ts'
import { matchArticles } from './articles.repo.ts'
import type { Question } from './prompt.ts'

// The page adds how to reach a person to a reply that is sorry.
const noAnswer = "I am sorry, I don't know. Please try other words, or choose one of the topics."

// For the assistant; a visitor gets the best one.
const articlesInPrompt = 4

/** An answer from the assistant where there is one, else from the help articles; always one. */
export async function answerQuestion({ db, articles, assistant }: Context, question: Question): Promise<string> {
  const fitting = await matchArticles(db, articles, question.message)
  const reply = assistant && (await assistant(question, fitting.slice(0, articlesInPrompt)))
  return reply ?? fitting[0]?.text ?? noAnswer
}
