import { Link } from 'wouter'
import { Empty } from '../components/feedback/empty.tsx'
import { Card } from '../components/layout/card.tsx'
import { PageTitle } from '../components/layout/page-title.tsx'

/** A path without a screen. */
export function NotFound() {
  return (
    <>
      <PageTitle title="Not found" />
      <Card title="No screen has this address">
        <Empty title="The address may be mistyped">
          <Link href="/">Home</Link>
        </Empty>
      </Card>
    </>
  )
}
