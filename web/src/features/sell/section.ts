import type { Draft, Problems } from './draft.ts'

export type SectionProps = { draft: Draft; problems: Problems; onChange: (change: Partial<Draft>) => void }
