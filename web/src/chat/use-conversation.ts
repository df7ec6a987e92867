import { useRef, useState } from 'react'
import { answer, api } from '../api/client.ts'
import { site } from '../api/site.ts'
import { useSingleMutation } from '../api/use-single-mutation.ts'
import { apology, historyOf, withDirections, type ChatMessage } from './conversation.ts'
import type { Topic } from './topics.ts'

type Conversation = {
  messages: ChatMessage[]
  isAnswering: boolean
  choose: (topic: Topic) => void
  send: (text: string) => void
  end: () => void
}

type Question = { text: string; history: ChatMessage[] }

function ask({ text, history }: Question): Promise<{ response: string }> {
  return answer(api.POST('/api/chat', { body: { message: text, conversation_history: history } }))
}

/** What was said. It outlives a closed panel and goes when it is ended. */
export function useConversation(): Conversation {
  const [messages, setMessages] = useState<ChatMessage[]>([])
  const count = useRef(0)
  const talk = useRef(0)
  const question = useSingleMutation({ mutationFn: ask, meta: { failure: 'Failed to ask the assistant:' } })

  function say(sender: ChatMessage['sender'], text: string) {
    count.current++
    const message = { id: String(count.current), text, sender, timestamp: new Date().toISOString() }
    setMessages((said) => [...said, message])
  }

  function send(typed: string) {
    const text = typed.trim()
    if (text === '' || question.isPending) return
    const current = talk.current
    const reply = (answered: string) => {
      // Not into the next conversation, when this one was ended meanwhile.
      if (current === talk.current) say('bot', answered)
    }
    say('user', text)
    question.mutate(
      { text, history: historyOf(messages) },
      {
        onSuccess: ({ response }) => reply(withDirections(response, site.supportEmail)),
        onError: () => reply(apology(site.supportEmail)),
      },
    )
  }

  return {
    messages,
    isAnswering: question.isPending,
    choose: (topic) => {
      say('user', topic.name)
      say('bot', topic.reply)
    },
    send,
    end: () => {
      talk.current++
      question.reset()
      setMessages([])
    },
  }
}
