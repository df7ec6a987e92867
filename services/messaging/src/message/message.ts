export interface MessageDraft {
  conversationId: string
  senderId: string
  text: string
}

export interface Message {
  id: string
  senderId: string
  text: string
  createdAt: Date
}
