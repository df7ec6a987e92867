// @vitest-environment happy-dom
import { cleanup, render, screen } from '@testing-library/react'
import { afterEach, describe, expect, it } from 'vitest'
import { NativeSelect } from './NativeSelect.tsx'
import { Textarea } from './Textarea.tsx'
import { TextInput } from './TextInput.tsx'

afterEach(cleanup)

function describedBy(element: Element): string {
  const ids = element.getAttribute('aria-describedby')?.split(' ') ?? []
  return ids.map((id) => document.getElementById(id)?.textContent).join(' ')
}

describe('a field', () => {
  it('is named by its label, and the asterisk of a required field is not part of the name', () => {
    render(<TextInput label="Title" required />)
    const field = screen.getByRole<HTMLInputElement>('textbox', { name: 'Title' })
    expect(field.required).toBe(true)
    expect(screen.getByText('*').getAttribute('aria-hidden')).toBe('true')
  })

  it('is described by its error and its description', () => {
    render(<Textarea label="Message" description="20 characters left" error="Enter a message." />)
    const field = screen.getByRole('textbox', { name: 'Message' })
    expect(describedBy(field)).toBe('Enter a message. 20 characters left')
    expect(field.getAttribute('aria-invalid')).toBe('true')
  })

  it('is neither invalid nor described without an error and a description', () => {
    render(<TextInput aria-label="Bid amount" error={false} />)
    const field = screen.getByRole('textbox', { name: 'Bid amount' })
    expect(field.getAttribute('aria-invalid')).toBeNull()
    expect(field.getAttribute('aria-describedby')).toBeNull()
  })

  it('can be marked invalid without a message', () => {
    render(<TextInput label="CVC" error />)
    const field = screen.getByRole('textbox', { name: 'CVC' })
    expect(field.getAttribute('aria-invalid')).toBe('true')
    expect(field.getAttribute('aria-describedby')).toBeNull()
  })

  it('keeps the description that its caller refers to', () => {
    render(
      <>
        <p id="rule">At most 5.</p>
        <TextInput label="Count" aria-describedby="rule" error="Too many." />
      </>,
    )
    expect(describedBy(screen.getByRole('textbox'))).toBe('At most 5. Too many.')
  })

  it('offers the options of a select', () => {
    render(<NativeSelect label="Condition" data={[{ value: 'new', label: 'New' }]} />)
    expect(screen.getByRole<HTMLSelectElement>('combobox', { name: 'Condition' }).value).toBe('new')
    expect(screen.getByRole('option', { name: 'New' })).toBeTruthy()
  })
})
