import { Component, type ReactNode } from 'react'
import { useLocation } from 'react-router-dom'
import { logFailure } from '../api/log-failure.ts'
import { PageFailed } from './PageFailed.tsx'

type Props = { place: string; children: ReactNode }
type State = { place: string; hasFailed: boolean }

class Boundary extends Component<Props, State> {
  override state = { place: this.props.place, hasFailed: false }

  static getDerivedStateFromError() {
    return { hasFailed: true }
  }

  static getDerivedStateFromProps({ place }: Props, state: State) {
    return place === state.place ? null : { place, hasFailed: false }
  }

  override componentDidCatch(error: Error) {
    logFailure('Failed to show the page:', error)
  }

  override render() {
    return this.state.hasFailed ? <PageFailed /> : this.props.children
  }
}

/** Says so where a page throws or its code does not arrive; the next page has a new chance. */
export function PageBoundary({ children }: { children: ReactNode }) {
  const { key } = useLocation()
  return <Boundary place={key}>{children}</Boundary>
}
