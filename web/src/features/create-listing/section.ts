import type { Draft } from './draft.ts'
import type { Problems } from './validate-draft.ts'

export interface SectionProps {
  draft: Draft
  problems: Problems
  onChange: (change: Partial<Draft>) => void
}
