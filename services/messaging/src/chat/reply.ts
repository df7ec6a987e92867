import { z } from 'zod'
import { leaksPrompt } from './prompt.ts'

/** The text to display, or the reason why the completion has no usable text. */
export type Reply = { text: string } | { text: null; reason: string }

// The fields that are read from the provider's response. OpenAI-compatible endpoints omit some of them.
const Choice = z.object({
  finish_reason: z.string().nullish(),
  message: z.object({ content: z.string().nullish(), refusal: z.string().nullish() }),
})
const Completion = z.object({ choices: z.tuple([Choice], z.unknown()) })

const maxReplyLength = 4000

// Minimum length of a truncated reply. A shorter one is rarely more than a greeting, so a help article is shown
// instead.
const minTruncatedLength = 200

const sentences = new Intl.Segmenter('en', { granularity: 'sentence' })

/**
 * Parses a completion. Throws if it is invalid. If the model refuses to reply, its text is discarded, and the visitor
 * gets a help article instead.
 */
export function parseReply(completion: unknown): Reply {
  const [{ finish_reason: finish, message }] = Completion.parse(completion).choices
  if (message.refusal) return { text: null, reason: 'refusal' }
  if (finish === 'content_filter') return { text: null, reason: finish }
  const whole = toPlainText(message.content ?? '')
  const text = finish === 'length' ? completeSentences(whole) : whole
  if (text === '') return { text: null, reason: finish ?? 'empty' }
  return leaksPrompt(whole) ? { text: null, reason: 'prompt_leak' } : { text }
}

function toPlainText(content: string): string {
  return Array.from(content.toWellFormed().replaceAll(/[^\P{Cc}\n\t]/gu, ''))
    .slice(0, maxReplyLength)
    .join('')
    .trim()
}

// Removes the last sentence of a truncated reply, because it might be incomplete. Returns '' if too little text
// remains.
function completeSentences(text: string): string {
  const last = [...sentences.segment(text)].at(-1)
  const kept = text.slice(0, last?.index ?? 0).trim()
  return kept.length < minTruncatedLength ? '' : kept
}
