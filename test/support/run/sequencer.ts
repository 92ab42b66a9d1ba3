import { relative } from 'node:path'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/**
 * The files that take longest, longest first. They start first, so that none of them is left at the end while the other
 * workers have nothing to do.
 */
const longest = [
  'test/conformance/generated.test.ts',
  'test/packed/packed.test.ts',
  'test/conformance/worst-case.test.ts',
  'test/properties/openapi-fuzz.test.ts',
  'test/crash/service.test.ts',
  'test/console/screens.test.ts',
  'src/providers/kard/kard.test.ts',
  'test/crash/snapshot.test.ts',
  'cli/examples.test.ts',
  'src/database/embedded/embedded.test.ts',
  'console/snippets.test.ts',
  'test/console/console.test.ts',
  'test/crash/cell-moves.test.ts',
  'test/properties/ledger-concurrency.test.ts',
  'src/webhooks/delivery/worker.test.ts',
  'test/conformance/lookup-actions.test.ts',
  'test/crash/disturbed-moves.test.ts',
  'test/generators/generators.test.ts',
  'test/crash/move-gateways.test.ts',
  'test/house/guides.test.ts',
  'test/crash/unit-kill.test.ts',
  'test/crash/checkout.test.ts',
  'test/conformance/unit-errors.test.ts',
  'src/ledger/verify.test.ts',
  'testing/testing.test.ts',
  'test/properties/ach-fuzz.test.ts',
  'src/accounting/list-ledger-flows.test.ts',
  'test/house/tidy.test.ts',
  'test/crash/failover.test.ts',
  'test/properties/ledger-model.test.ts',
  'src/providers/builtin/organisations/sweep.test.ts',
  'test/crash/processes.test.ts',
  'test/crash/unit-faults.test.ts',
  'test/deploy/image.test.ts',
  'test/crash/start.test.ts',
  'test/crash/organisations.test.ts',
  'src/providers/unit/inbound-faults.test.ts',
  'test/crash/ledger-kill.test.ts',
  'src/access/operator-keys.test.ts',
  'src/providers/builtin/bank/transactions.test.ts',
  'test/crash/kill.test.ts',
  'test/house/readme.test.ts',
  'cli/trigger/trigger.test.ts',
  'test/crash/moved-rows.test.ts',
  'test/conformance/events-of-changes.test.ts',
  'cli/operation-examples.test.ts',
  'test/crash/process-signals.test.ts',
  'src/http/console/console.test.ts',
  'src/banking/payments/create-payment-batch.test.ts',
  'test/properties/rewards-laws.test.ts',
  'test/properties/first-states.test.ts',
  'test/crash/ledger-two-processes.test.ts',
  'test/properties/statement-histories.test.ts',
  'test/conformance/cells.test.ts',
  'test/crash/cells.test.ts',
  'test/conformance/connected-rewards.test.ts',
  'src/providers/builtin/first-states/move-copies.test.ts',
  'src/providers/unit/unit.test.ts',
  'src/events/requests/list-requests.test.ts',
  'client/src/examples.test.ts',
  'test/crash/standby.test.ts',
  'src/webhooks/delivery/queue.test.ts',
  'test/crash/restore.test.ts',
  'test/console/texts.test.ts',
  'test/properties/ach-month.test.ts',
  'src/idempotency/upstream-claim.test.ts',
  'test/conformance/live-story.test.ts',
  'cli/mcp.test.ts',
  'src/database/hang.test.ts',
  'src/events/list-events.test.ts',
  'test/crash/ach-kill.test.ts',
  'test/properties/filter-fuzz.test.ts',
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
