import { truncate } from '../rules/text.ts'

export interface ChatMessage {
  id: string
  text: string
  sender: 'bot' | 'user'
  timestamp: string
}

const maxHistory = 10

// The longest text that the API accepts. A reply can be as long, and the page appends the support contact to it.
const maxTextLength = 4000

const unhelpfulPhrases = /not sure|don['’]t know|sorry|unable to help/i

/** Returns the newest messages, as they are sent as context with a new message. */
export function recentHistory(messages: ChatMessage[]): ChatMessage[] {
  return messages.slice(-maxHistory).map((message) => ({ ...message, text: truncate(message.text, maxTextLength) }))
}

/** Appends the support contact to a reply in which the assistant says that it cannot help. */
export function withSupportContact(reply: string, supportEmail: string): string {
  return unhelpfulPhrases.test(reply)
    ? `${reply}\n\nFor more help, contact our customer support at ${supportEmail}.`
    : reply
}

export function apology(supportEmail: string): string {
  return `I'm sorry, I can't answer right now. Email ${supportEmail} and we'll reply within 24 hours.`
}
