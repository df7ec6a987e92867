import { describe, expect, it } from 'vitest'
import { recentHistory, withSupportContact, type ChatMessage } from './conversation.ts'

describe('a conversation with the assistant', () => {
  it('CHAT-05 is sent with its last 10 messages', () => {
    const messages = Array.from({ length: 12 }, (_, index): ChatMessage => {
      return { id: `${index}`, text: `${index}`, sender: 'user', timestamp: '2025-11-20T12:00:00.000Z' }
    })
    expect(recentHistory(messages).map(({ text }) => text)).toEqual([
      '2',
      '3',
      '4',
      '5',
      '6',
      '7',
      '8',
      '9',
      '10',
      '11',
    ])
  })

  it('CHAT-05 CHAT-07 is sent with at most 4,000 characters of a long reply with the support contact', () => {
    const reply = `Sorry, ${'😀'.repeat(3_993)}`
    const text = withSupportContact(reply, 'help@shop.example')
    const message: ChatMessage = { id: '1', text, sender: 'bot', timestamp: '2025-11-20T12:00:00.000Z' }
    expect(recentHistory([message])).toEqual([{ ...message, text: reply }])
  })

  it.each(['I am not sure.', "I don't know that.", 'I don’t know.', 'Sorry, no.', 'I am unable to help with that.'])(
    'CHAT-07 adds the support contact to the reply: %s',
    (reply) => {
      expect(withSupportContact(reply, 'help@shop.example')).toBe(
        `${reply}\n\nFor more help, contact our customer support at help@shop.example.`,
      )
    },
  )

  it('CHAT-07 adds no support contact to a helpful reply', () => {
    expect(withSupportContact('Choose Sell.', 'help@shop.example')).toBe('Choose Sell.')
  })
})
