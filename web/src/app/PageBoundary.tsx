import { Component, type ReactNode } from 'react'
import { useLocation } from 'react-router-dom'
import { logFailure } from '../api/client/log-failure.ts'
import { PageFailed } from './PageFailed.tsx'

interface Props {
  locationKey: string
  children: ReactNode
}
interface State {
  locationKey: string
  hasFailed: boolean
}

class Boundary extends Component<Props, State> {
  override state = { locationKey: this.props.locationKey, hasFailed: false }

  static getDerivedStateFromError() {
    return { hasFailed: true }
  }

  static getDerivedStateFromProps({ locationKey }: Props, state: State) {
    return locationKey === state.locationKey ? null : { locationKey, hasFailed: false }
  }

  override componentDidCatch(error: Error) {
    logFailure('Failed to show the page:', error)
  }

  override render() {
    return this.state.hasFailed ? <PageFailed /> : this.props.children
  }
}

/**
 * Shows PageFailed if a page throws or its code fails to load. The next navigation resets the boundary and shows the new
 * page.
 */
export function PageBoundary({ children }: { children: ReactNode }) {
  const { key } = useLocation()
  return <Boundary locationKey={key}>{children}</Boundary>
}
