import type { Adapter, AdapterPayload } from 'oidc-provider'

interface Stored {
  readonly payload: AdapterPayload
  readonly expiresAt: number
}

const sweepIntervalMs = 60_000
const defaultTtlSeconds = 900

/** Stores pending sign-ins until they expire. The library's own store evicts entries beyond a thousand. */
export function createMemoryStore(): (model: string) => Adapter {
  const entries = new Map<string, Stored>()
  setInterval(() => dropExpired(entries), sweepIntervalMs).unref()
  return (model) => adapterOf(entries, model)
}

function adapterOf(entries: Map<string, Stored>, model: string): Adapter {
  const find = (id: string) => {
    const stored = entries.get(`${model}:${id}`)
    return stored && stored.expiresAt > Date.now() ? stored.payload : undefined
  }
  return {
    upsert: async (id, payload, expiresIn = defaultTtlSeconds) =>
      void entries.set(`${model}:${id}`, { payload, expiresAt: Date.now() + expiresIn * 1000 }),
    find: async (id) => find(id),
    findByUid: async (uid) => ofModel(entries, model).find(({ payload }) => payload.uid === uid)?.payload,
    findByUserCode: async () => undefined,
    consume: async (id) => {
      const payload = find(id)
      if (payload) payload.consumed = Math.floor(Date.now() / 1000)
    },
    destroy: async (id) => void entries.delete(`${model}:${id}`),
    revokeByGrantId: async (grantId) => {
      for (const [key, { payload }] of entries) if (payload.grantId === grantId) entries.delete(key)
    },
  }
}

function ofModel(entries: Map<string, Stored>, model: string): Stored[] {
  return [...entries].filter(([key]) => key.startsWith(`${model}:`)).map(([, stored]) => stored)
}

function dropExpired(entries: Map<string, Stored>): void {
  for (const [key, { expiresAt }] of entries) if (expiresAt <= Date.now()) entries.delete(key)
}
