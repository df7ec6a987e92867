export interface MessageDraft {
  conversationId: string
  senderId: string
  text: string
}

/** A message with its position. `seq` is the sequence number within the conversation. */
export interface ListedMessage extends Message {
  seq: number
}

/** Request for one page of a conversation. The first page has the newest messages; later pages have older ones. */
export interface MessagesRead {
  conversationId: string
  readerId: string
  /** Sequence number of the oldest message on the previous page. Null for the first page. */
  before: number | null
  rows: number
}

export interface Message {
  id: string
  senderId: string
  text: string
  createdAt: Date
}
