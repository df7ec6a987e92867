import { useRef, useState } from 'react'
import { responseBody, api } from '../api/client/client.ts'
import { site } from '../api/client/site.ts'
import { useSingleMutation } from '../api/client/use-single-mutation.ts'
import { apology, recentHistory, withSupportContact, type ChatMessage } from './conversation.ts'
import type { Topic } from './topics.ts'

interface Conversation {
  messages: ChatMessage[]
  isAnswering: boolean
  choose: (topic: Topic) => void
  send: (text: string) => void
  end: () => void
}

interface Question {
  text: string
  history: ChatMessage[]
}

function sendQuestion({ text, history }: Question): Promise<{ response: string }> {
  return responseBody(api.POST('/api/chat', { body: { message: text, conversation_history: history } }))
}

/**
 * State of the conversation with the assistant. The state is kept while the panel is closed and cleared when the user ends
 * the conversation or signs out.
 */
export function useConversation(): Conversation {
  const [messages, setMessages] = useState<ChatMessage[]>([])
  const count = useRef(0)
  const conversationNumber = useRef(0)
  const question = useSingleMutation({ mutationFn: sendQuestion, meta: { failure: 'Failed to ask the assistant:' } })

  function addMessage(sender: ChatMessage['sender'], text: string) {
    count.current++
    const message = { id: String(count.current), text, sender, timestamp: new Date().toISOString() }
    setMessages((previous) => [...previous, message])
  }

  function send(typed: string) {
    const text = typed.trim()
    if (text === '' || question.isPending) return
    const current = conversationNumber.current
    const reply = (message: string) => {
      // Ignores the reply if the user ended the conversation before it arrived.
      if (current === conversationNumber.current) addMessage('bot', message)
    }
    addMessage('user', text)
    question.mutate(
      { text, history: recentHistory(messages) },
      {
        onSuccess: ({ response }) => reply(withSupportContact(response, site.supportEmail)),
        onError: () => reply(apology(site.supportEmail)),
      },
    )
  }

  return {
    messages,
    isAnswering: question.isPending,
    choose: (topic) => {
      addMessage('user', topic.name)
      addMessage('bot', topic.reply)
    },
    send,
    end: () => {
      conversationNumber.current++
      question.reset()
      setMessages([])
    },
  }
}
