// @vitest-environment happy-dom
import { act, cleanup, render, screen } from '@testing-library/react'
import { afterEach, expect, it } from 'vitest'
import { useEffect, useRef } from 'react'
import { useFocusBack } from './use-focus-back.ts'

function Opened() {
  useFocusBack()
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

it('gives the focus back to what had it', async () => {
  const rerender = open()
  await act(async () => rerender(<Page isOpen={false} />))
  expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Buy' }))
})

it('gives it to the page’s heading where that went away in the same change', async () => {
  const rerender = open()
  await act(async () => rerender(<Page isOpen={false} hasOpener={false} />))
  expect(document.activeElement).toBe(screen.getByRole('heading', { name: 'Lamp' }))
})
