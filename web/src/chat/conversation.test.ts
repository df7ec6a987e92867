import { describe, expect, it } from 'vitest'
import { historyOf, withDirections, type ChatMessage } from './conversation.ts'

describe('a conversation with the assistant', () => {
  it('CHAT-05 is sent along with its last 10 messages', () => {
    const messages = Array.from({ length: 12 }, (_, index): ChatMessage => {
      return { id: `${index}`, text: `${index}`, sender: 'user', timestamp: '2025-11-20T12:00:00.000Z' }
    })
    expect(historyOf(messages).map(({ text }) => text)).toEqual(['2', '3', '4', '5', '6', '7', '8', '9', '10', '11'])
  })

  it.each(['I am not sure.', "I don't know that.", 'I don’t know.', 'Sorry, no.', 'I am unable to help with that.'])(
    'CHAT-07 directs to customer support after: %s',
    (reply) => {
      expect(withDirections(reply, 'help@shop.example')).toBe(
        `${reply}\n\nFor more help, contact our customer support at help@shop.example.`,
      )
    },
  )

  it('CHAT-07 directs nobody after another reply', () => {
    expect(withDirections('Choose Sell.', 'help@shop.example')).toBe('Choose Sell.')
  })
})
