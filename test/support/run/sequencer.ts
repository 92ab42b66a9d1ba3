import { relative } from 'node:path'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/**
 * The files that take longest, longest first. They start first, so that none of them is left at the end while the other
 * workers have nothing to do.
 */
const longest = [
  'test/packed/packed.test.ts',
  'test/crash/service.test.ts',
  'test/conformance/generated.test.ts',
  'test/console/screens.test.ts',
  'src/database/embedded/embedded.test.ts',
  'test/conformance/worst-case.test.ts',
  'test/crash/snapshot.test.ts',
  'src/providers/kard/kard.test.ts',
  'test/crash/unit-kill.test.ts',
  'cli/examples.test.ts',
  'test/crash/checkout.test.ts',
  'test/crash/failover.test.ts',
  'src/webhooks/delivery/worker.test.ts',
  'test/properties/ledger-concurrency.test.ts',
  'test/house/guides.test.ts',
  'test/crash/organisations.test.ts',
  'test/generators/generators.test.ts',
  'testing/testing.test.ts',
  'test/deploy/image.test.ts',
  'test/conformance/unit-errors.test.ts',
  'test/crash/unit-faults.test.ts',
  'test/console/console.test.ts',
  'test/properties/openapi-fuzz.test.ts',
  'test/crash/webhooks-soak.test.ts',
  'test/crash/restore.test.ts',
  'test/crash/kill.test.ts',
  'test/crash/start.test.ts',
  'test/crash/database-hang.test.ts',
  'cli/story.test.ts',
  'console/snippets.test.ts',
  'src/providers/unit/inbound-faults.test.ts',
  'test/house/readme.test.ts',
  'test/conformance/lookup-actions.test.ts',
  'test/properties/ledger-model.test.ts',
  'src/providers/builtin/bank/transactions.test.ts',
  'src/ledger/verify.test.ts',
  'cli/mcp.test.ts',
  'cli/trigger/trigger.test.ts',
  'src/webhooks/delivery/queue.test.ts',
  'src/database/hang.test.ts',
  'src/ledger/verify-plans.test.ts',
]

/** Orders files by the list above, and those that are not on it by their size. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const bySize = await super.sort(files)
    const rank = ({ moduleId }: TestSpecification) => {
      const place = longest.indexOf(relative(this.ctx.config.root, moduleId))
      return place < 0 ? longest.length : place
    }
    return bySize.toSorted((a, b) => rank(a) - rank(b))
  }
}
