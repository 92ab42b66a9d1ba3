import { Component, type ReactNode } from 'react'
import { useLocation } from 'wouter'
import { Empty } from '../components/feedback/empty.tsx'
import { Card } from '../components/layout/card.tsx'
import { PageTitle } from '../components/layout/page-title.tsx'

/** Keeps the frame on screen if a screen fails to draw. The next address starts anew. */
export function ScreenFault({ children }: { children: ReactNode }) {
  const [path] = useLocation()
  return <Boundary key={path}>{children}</Boundary>
}

class Boundary extends Component<{ children: ReactNode }, { fault?: unknown }> {
  override state: { fault?: unknown } = {}

  static getDerivedStateFromError(fault: unknown) {
    return { fault }
  }

  override render() {
    if (this.state.fault === undefined) return this.props.children
    return (
      <>
        <PageTitle title="Not shown" />
        <Card title="This screen failed">
          <Empty title={String(this.state.fault)}>
            <button type="button" onClick={() => location.reload()}>
              Load again
            </button>
          </Empty>
        </Card>
      </>
    )
  }
}
