import { IconCheck, IconShare2 } from '@tabler/icons-react'
import { useState } from 'react'
import { logFailure } from '../../../api/client/log-failure.ts'
import { ActionIcon, type ActionIconLooks } from '../../../ui/controls/ActionIcon.tsx'

type Shared = 'sheet' | 'copied' | 'nothing'

/** Opens the system's share sheet, or copies the link to the clipboard if the browser has no share sheet. */
async function share(title: string): Promise<Shared> {
  const url = `${window.location.origin}${window.location.pathname}`
  try {
    if (typeof navigator.share === 'function') {
      await navigator.share({ title, url })
      return 'sheet'
    }
    await navigator.clipboard.writeText(url)
    return 'copied'
  } catch (error) {
    // `share` rejects with AbortError if the user closes the share sheet, which is not a failure.
    if (!(error instanceof DOMException && error.name === 'AbortError')) logFailure('Failed to share:', error)
    return 'nothing'
  }
}

type Props = ActionIconLooks & {
  title: string
  className?: string
  onCopied: () => void
}

export function ShareButton({ title, onCopied, ...looks }: Props) {
  const [isCopied, setIsCopied] = useState(false)
  async function shareListing() {
    if ((await share(title)) !== 'copied') return
    setIsCopied(true)
    onCopied()
  }
  const Icon = isCopied ? IconCheck : IconShare2
  return (
    <ActionIcon {...looks} aria-label="Share" title="Share" onClick={() => void shareListing()}>
      <Icon size={22} stroke={1.7} aria-hidden="true" />
    </ActionIcon>
  )
}
