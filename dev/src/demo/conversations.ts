export type DemoConversation = {
  /** How the listing's title begins. */
  readonly about: string
  readonly buyer: string
  /** In turns, the buyer first. */
  readonly lines: readonly string[]
}

export const CONVERSATIONS: readonly DemoConversation[] = [
  {
    about: 'Over-ear headphones',
    buyer: 'bob',
    lines: [
      'Hello Alice, do they fold flat? My bag is rather full already.',
      'They do: the cups turn and the band folds. About the size of a paperback.',
      'Perfect. And do you still have the short cable?',
      'Yes, both the short and the long one are in the case.',
    ],
  },
  {
    about: '1960s rangefinder',
    buyer: 'alice',
    lines: [
      'What a beautiful camera. Is the light meter still alive?',
      'It is, though it reads a third of a stop low. I would trust it outdoors.',
      'Good to know, I shoot negative film anyway. Could you ship to Portland?',
    ],
  },
  {
    about: '14-inch laptop',
    buyer: 'carol',
    lines: [
      'Hi, which charger comes with it?',
      'The original 65 W one over USB-C, with a European plug.',
      'Thank you. I will sleep on it.',
    ],
  },
  {
    about: 'Steel field watch',
    buyer: 'bob',
    lines: [
      'Does the strap width happen to be 20 mm?',
      'Exactly 20 mm. The grey canvas one in the picture and a brown leather one are both included.',
    ],
  },
  {
    about: 'Violin, full size',
    buyer: 'alice',
    lines: [
      'My daughter is moving up to a full size. Would you say it is easy to play?',
      'Very. The neck is slim and the strings are low. Her teacher is welcome to call me.',
      'That is kind, I will pass it on.',
      'Any time after four in the afternoon is good.',
    ],
  },
  {
    about: 'Smartphone, 128 GB',
    buyer: 'carol',
    lines: [
      'Good morning Bob, is there still any guarantee on the new screen?',
      'Until next March, and I have the slip for it.',
    ],
  },
  {
    about: 'Vintage desk lamp',
    buyer: 'alice',
    lines: [
      'The lamp arrived today and it already lights my desk. Thank you for packing it so well!',
      'I am glad. Enjoy it!',
    ],
  },
]
