import { completion } from '@marketplace/testing/fake-openai.ts'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { parseReply } from './reply.ts'

const long = 'The marketplace fee is 5 % of the item price. '.repeat(6)

describe('a completion', () => {
  it('is shown when it is complete', () => {
    expect(parseReply(completion({ content: ' Five percent. ' }))).toEqual({ text: 'Five percent.' })
  })

  it.each([
    ['reasoning used all tokens', completion({ content: '' }, 'length'), 'length'],
    ['reasoning used all tokens and the content is null', completion({ content: null }, 'length'), 'length'],
    [
      'it is truncated after a few words',
      completion({ content: 'Certainly! The marketplace fee' }, 'length'),
      'length',
    ],
    ['it is truncated and has no complete sentence', completion({ content: 'word '.repeat(200) }, 'length'), 'length'],
    ['the model refuses', completion({ refusal: "I'm sorry, I can't help with that." }), 'refusal'],
    ['the model refuses after some words', completion({ content: 'Well,', refusal: 'No.' }), 'refusal'],
    ['a filter removed it', completion({ content: '' }, 'content_filter'), 'content_filter'],
    ['a filter removed a part of it', completion({ content: 'Five per' }, 'content_filter'), 'content_filter'],
    ['the model calls a tool', completion({ content: null }, 'tool_calls'), 'tool_calls'],
    ['it is blank', completion({ content: ' \n ' }), 'stop'],
    [
      'it reveals the instructions',
      completion({ content: 'You are the help assistant of an online marketplace for fixed-price and auction sales.' }),
      'prompt_leak',
    ],
  ])('is not shown when %s', (_what, sent, reason) => {
    expect(parseReply(sent)).toEqual({ text: null, reason })
  })

  it.each([
    ['English', `${long}The seller pays as much, and this sent`, long.trim()],
    ['German', `${long}Der Verkäufer zahlt ebenso viel! Und di`, `${long}Der Verkäufer zahlt ebenso viel!`],
    ['Japanese', `${'手数料は商品価格の5%です。'.repeat(20)}売り手も同`, '手数料は商品価格の5%です。'.repeat(20)],
  ])('is shown up to its last complete sentence when it is truncated (%s)', (_language, content, text) => {
    expect(parseReply(completion({ content }, 'length'))).toEqual({ text })
  })

  it('is parsed when a compatible endpoint omits fields', () => {
    expect(parseReply({ choices: [{ message: { content: 'Five percent.' } }] })).toEqual({ text: 'Five percent.' })
    expect(parseReply({ choices: [{ message: {} }] })).toEqual({ text: null, reason: 'empty' })
  })

  it.each([[null], [{}], [{ choices: [] }], [{ choices: [{ message: { content: ['a'] } }] }]])(
    'is rejected when it is %j',
    (sent) => {
      expect(() => parseReply(sent)).toThrow(z.ZodError)
    },
  )
})
