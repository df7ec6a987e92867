export interface DemoConversation {
  /** The start of the listing's title. */
  readonly about: string
  readonly buyer: string
  /** Alternating, the buyer first. */
  readonly lines: readonly string[]
}

export const demoConversations: readonly DemoConversation[] = [
  {
    about: 'White Nike high-top',
    buyer: 'bob',
    lines: [
      'Hello Alice, do they run large or small?',
      'True to size, I would say. I usually wear a 43, and they fit with thick socks.',
      'Perfect. Are the spare laces white as well?',
      'Yes, white and still in their bag.',
    ],
  },
  {
    about: 'Sony compact',
    buyer: 'alice',
    lines: [
      'That looks like a good camera for trips. How long does the battery last?',
      'About 300 pictures. I always carried a second battery, but I cannot find it.',
      'Good to know, one is enough for me. Could you ship to Portland?',
    ],
  },
  {
    about: 'Slim aluminum laptop',
    buyer: 'carol',
    lines: [
      'Hi, which charger comes with it?',
      'The original one over USB-C, with a European plug.',
      'Thank you. I will sleep on it.',
    ],
  },
  {
    about: 'Black twin-bell alarm clock',
    buyer: 'bob',
    lines: ['Does it tick? I sleep lightly.', 'Hardly. The hand moves smoothly, so there is only a faint hum.'],
  },
  {
    about: 'Rolleiflex',
    buyer: 'alice',
    lines: [
      'What a beautiful camera. Is the light meter still alive?',
      'This model has none. I use an app on my phone, and the exposures are fine.',
      'That works for me, too.',
      'I can send you scans of the two test rolls if you like.',
    ],
  },
  {
    about: 'Cactus in a terracotta pot',
    buyer: 'carol',
    lines: [
      'Good morning Bob, has it ever flowered?',
      'Twice, both times in May. The flowers are pink and last a week.',
    ],
  },
  {
    about: 'Memory module',
    buyer: 'bob',
    lines: [
      'It arrived today and the old computer likes it. Thank you for packing it so well!',
      'I am glad. Enjoy it!',
    ],
  },
]
