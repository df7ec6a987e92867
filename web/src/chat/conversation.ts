export type ChatMessage = { id: string; text: string; sender: 'bot' | 'user'; timestamp: string }

const mostSent = 10
const isUnsure = /not sure|don['’]t know|sorry|unable to help/i

/** What goes along with a new message: the last of what was said before it. */
export function historyOf(messages: ChatMessage[]): ChatMessage[] {
  return messages.slice(-mostSent)
}

/** An answer that does not help says who does. */
export function withDirections(reply: string, supportEmail: string): string {
  return isUnsure.test(reply) ? `${reply}\n\nFor more help, contact our customer support at ${supportEmail}.` : reply
}

export function apology(supportEmail: string): string {
  return `I'm sorry, I can't answer right now. Please write to us at ${supportEmail}, and we answer within 24 hours.`
}
