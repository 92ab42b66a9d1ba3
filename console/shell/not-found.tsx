import { Link } from 'wouter'
import { Card } from '../parts/card.tsx'
import { Empty } from '../parts/empty.tsx'
import { PageTitle } from '../parts/page-title.tsx'

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
