import type { StoredDraft } from '../../api/client/types.ts'

// Longer titles are cut off. The server does not validate drafts, so the title of a draft can have any length.
const maxTitleLength = 200

function fieldOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined
}

/**
 * Returns the title and the main photo of a draft. The body can have any shape, because the server does not validate
 * drafts.
 */
export function summarizeDraft({ body }: Pick<StoredDraft, 'body'>): { title: string; picture: string | null } {
  const title = fieldOf(body, 'title')
  const images = fieldOf(body, 'images')
  const picture = Array.isArray(images) ? fieldOf(images[0], 'url') : null
  return {
    title: (typeof title === 'string' && title.trim().slice(0, maxTitleLength)) || 'Untitled draft',
    picture: typeof picture === 'string' ? picture : null,
  }
}
