import { relative } from 'node:path'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/**
 * The files that take longest, longest first. They start first, so that none of them is left at the end while the other
 * workers have nothing to do.
 */
const longest = [
  'test/packed/packed.test.ts',
  'test/crash/service.test.ts',
  'test/deploy/image.test.ts',
  'test/conformance/generated.test.ts',
  'test/conformance/worst-case.test.ts',
  'src/database/embedded/embedded.test.ts',
  'cli/examples.test.ts',
  'test/crash/checkout.test.ts',
  'test/crash/restore.test.ts',
  'test/crash/unit-kill.test.ts',
  'test/crash/snapshot.test.ts',
  'console/snippets.test.ts',
  'test/house/guides.test.ts',
  'src/providers/kard/kard.test.ts',
  'test/generators/generators.test.ts',
  'test/house/readme.test.ts',
  'test/crash/kill.test.ts',
  'src/webhooks/delivery/worker.test.ts',
  'test/properties/ledger-concurrency.test.ts',
  'test/conformance/lookup-actions.test.ts',
  'test/properties/openapi-fuzz.test.ts',
  'test/crash/failover.test.ts',
  'test/crash/database-hang.test.ts',
  'test/conformance/unit-errors.test.ts',
  'test/properties/ledger-model.test.ts',
  'test/crash/unit-faults.test.ts',
  'test/crash/organisations.test.ts',
  'cli/story.test.ts',
  'src/database/hang.test.ts',
  'src/ledger/verify.test.ts',
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
