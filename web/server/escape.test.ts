import { expect, it } from 'vitest'
import { escapeHtml, jsonForScript } from './escape.ts'

const hostile = [
  '</script><script>alert(1)</script>',
  '<!--<script>',
  ']]>',
  '"\'`><img src=x onerror=alert(1)>',
  'line\u2028and\u2029paragraph',
  'right to left \u202Egpj.exe',
  '&lt;b&gt; &amp;',
  '$& $1 $`',
  'half a pair \uD83D',
]

it.each(hostile)('escapes %j in an element and an attribute', (text) => {
  expect(escapeHtml(text)).not.toMatch(/[<>"']/)
  expect(escapeHtml(text).replaceAll(/&(?:amp|lt|gt|quot|#39);/g, '')).not.toContain('&')
})

it.each(hostile)('keeps %j inside JSON in a script element', (text) => {
  const json = jsonForScript({ [text]: [text] })
  expect(json).not.toMatch(/[<>&\u2028\u2029]/)
  expect(JSON.parse(json)).toEqual({ [text]: [text] })
})
