export interface MessageDraft {
  conversationId: string
  senderId: string
  text: string
}

/** A message of a page. `seq` is its position within the conversation. */
export interface ListedMessage extends Message {
  seq: number
}

/** A page of a conversation, read from the newest message back to older ones. */
export interface MessagesRead {
  conversationId: string
  readerId: string
  /** Position of the oldest message of the page before; null for the newest page. */
  before: number | null
  rows: number
}

export interface Message {
  id: string
  senderId: string
  text: string
  createdAt: Date
}
