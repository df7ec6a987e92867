// @vitest-environment happy-dom
import { act, cleanup, render, screen } from '@testing-library/react'
import { afterEach, expect, it } from 'vitest'
import { useEffect, useRef } from 'react'
import { useRestoreFocus } from './use-restore-focus.ts'

function Opened() {
  useRestoreFocus()
  const field = useRef<HTMLInputElement>(null)
  useEffect(() => field.current?.focus(), [])
  return <input ref={field} />
}

function Page({ isOpen, hasOpener = true }: { isOpen: boolean; hasOpener?: boolean }) {
  return (
    <>
      <h1 tabIndex={-1}>Lamp</h1>
      {hasOpener && (
        <div>
          <button>Buy</button>
          {isOpen && <Opened />}
        </div>
      )}
    </>
  )
}

function open() {
  const { rerender } = render(<Page isOpen={false} />)
  screen.getByRole('button').focus()
  rerender(<Page isOpen />)
  return rerender
}

afterEach(cleanup)

it('restores the focus to the previous element', async () => {
  const rerender = open()
  await act(async () => rerender(<Page isOpen={false} />))
  expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Buy' }))
})

it('focuses the page heading if the previous element was removed in the same change', async () => {
  const rerender = open()
  await act(async () => rerender(<Page isOpen={false} hasOpener={false} />))
  expect(document.activeElement).toBe(screen.getByRole('heading', { name: 'Lamp' }))
})
