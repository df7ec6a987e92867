// @vitest-environment happy-dom
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { cleanup, configure, render, screen } from '@testing-library/react'
import { StrictMode } from 'react'
import { afterEach, expect, it, vi } from 'vitest'
import { AuthProvider } from './AuthProvider.tsx'
import { useAuth } from './use-auth.ts'

// The default of one second is too short on a busy machine.
configure({ asyncUtilTimeout: 30_000 })

const ann = { id: 'u1', email: 'ann@example.com', google_user_data: { name: 'Ann', picture: null } }

function Probe() {
  const { user, isPending, logout } = useAuth()
  return (
    <>
      <output>{isPending ? 'pending' : (user?.email ?? 'signed out')}</output>
      <button onClick={() => void logout()}>Log out</button>
    </>
  )
}

function renderProbe() {
  render(
    <StrictMode>
      <QueryClientProvider client={new QueryClient()}>
        <AuthProvider>
          <Probe />
        </AuthProvider>
      </QueryClientProvider>
    </StrictMode>,
  )
}

afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

it('AUTH-13 useAuth throws outside the provider', () => {
  vi.spyOn(console, 'error').mockImplementationOnce(() => {})
  expect(() => render(<Probe />)).toThrow('useAuth must be used within a AuthProvider')
})

it('AUTH-08 is pending until the user fetch settles', async () => {
  vi.stubGlobal('fetch', async () => Response.json(ann))
  renderProbe()
  expect(screen.getByRole('status').textContent).toBe('pending')
  expect(await screen.findByText('ann@example.com')).toBeTruthy()
})

it('AUTH-08 AUTH-09 is signed out and no longer pending after a failed fetch', async () => {
  const logged = vi.spyOn(console, 'error').mockImplementation(() => {})
  vi.stubGlobal('fetch', async () => Response.json({ error: 'no' }, { status: 401 }))
  renderProbe()
  await screen.findByText('signed out')
  expect(logged).toHaveBeenCalledWith('Failed to fetch user: API responded with HTTP status 401')
})

it('AUTH-11 clears the user before the logout response arrives', async () => {
  vi.stubGlobal('fetch', (path: string) =>
    path === '/api/logout' ? new Promise(() => {}) : Promise.resolve(Response.json(ann)),
  )
  renderProbe()
  await screen.findByText('ann@example.com')
  screen.getByRole('button', { name: 'Log out' }).click()
  expect(await screen.findByText('signed out')).toBeTruthy()
})
