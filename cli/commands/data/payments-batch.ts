import { randomUUID } from 'node:crypto'
import type { BatchOutcome } from '../../../client/src/index.ts'
import {
  type BatchedPayment,
  batchesOf,
  optionalColumns,
  readPaymentList,
  UnreadableList,
} from '../../../client/src/payment-list.ts'
import { exitCodes, UsageError } from '../../../ground/failure.ts'
import type { Call, Command } from '../../command.ts'
import { problemCode } from '../../failure.ts'
import { readFile } from '../../files.ts'

export const paymentsBatch: Command = {
  path: 'payments batch',
  summary: 'Makes the payments of a file',
  description: `Reads a table (CSV, also with semicolons or tabs) or JSON. The first line of a table names its columns: accountId, counterpartyAccountId, amount in cents and description, and if need be ${optionalColumns.join(', ')} and tags.NAME. JSON is a list of payments as createPaymentBatch takes them. A list that cannot be read is refused as a whole. Otherwise each payment stands alone: some may be made and others refused. Up to 1,000 payments are sent in one request, more in several, in the order of the file. A terminal shows a table with the refused payments first; elsewhere each outcome is a line of JSON, in the order of the file. The exit code is 1 if a payment was refused, and 5 if all that failed are worth a retry. To send a file again without paying twice, give the idempotency key that the command names.`,
  group: 'Records',
  options: [
    { flags: '--file <file>', description: 'File with the payments; - for standard input', required: true },
    {
      flags: '--idempotency-key <key>',
      description:
        'Key of the list: payments without a key of their own get this one, / and their place (default: a new one)',
    },
  ],
  examples: [
    { run: 'purser payments batch --file payments.csv', does: 'Makes the payments of a table' },
    {
      run: 'purser payments batch --file payments.csv --idempotency-key payroll-2026-11',
      does: 'Makes them under a name, so that the same command pays nothing twice',
    },
    { run: 'cat payments.json | purser payments batch --file - --json', does: 'Makes the payments of standard input' },
  ],
  run,
}

type Outcome = BatchOutcome & { item: number }

async function run(call: Call): Promise<number> {
  const { out } = call
  const key = keyOf(call)
  const payments = await paymentsOf(call)
  const purser = call.purser()
  const outcomes: Outcome[] = []
  for (const batch of batchesOf(payments, key)) {
    const answers = await purser.payments.createBatch({ payments: batch }, { idempotencyKey: key })
    const numbered = answers.map((answer, at): Outcome => ({ item: outcomes.length + at + 1, ...answer }))
    if (!out.forPeople) await out.records(numbered)
    outcomes.push(...numbered)
  }
  const failed = outcomes.filter(({ problem }) => problem)
  if (out.forPeople) {
    const made = outcomes.filter(({ problem }) => !problem)
    await out.records([...failed, ...made].map((each) => shown(each, payments)))
  }
  if (failed.length === 0) return 0
  const count = outcomes.length - failed.length
  const sentence = `${count} of ${outcomes.length} payments ${count === 1 ? 'was' : 'were'} made.`
  out.note(`${sentence} To send the list again, without paying twice, add --idempotency-key ${key}`)
  const worthRetry = failed.every(({ problem }) => problem && problemCode(problem) === exitCodes.retry)
  return worthRetry ? exitCodes.retry : exitCodes.refused
}

function keyOf({ options }: Call): string {
  const { idempotencyKey = randomUUID() } = options as { idempotencyKey?: string }
  if (/^[!-~]{1,240}$/.test(idempotencyKey)) return idempotencyKey
  throw new UsageError('--idempotency-key takes 1 to 240 characters without spaces')
}

async function paymentsOf({ options, input }: Call): Promise<BatchedPayment[]> {
  const { file = '' } = options as { file?: string }
  const text = file === '-' ? await input() : readFile(file).toString('utf8')
  try {
    return readPaymentList(text)
  } catch (error) {
    if (!(error instanceof UnreadableList)) throw error
    throw new UsageError(`${file === '-' ? 'standard input' : file}: ${error.message}`)
  }
}

/** An outcome as a row of a table. */
function shown({ item, payment, problem }: Outcome, payments: readonly BatchedPayment[]): object {
  return {
    item,
    outcome: payment?.status ?? 'Refused',
    amount: payment?.amount ?? payments[item - 1]?.amount,
    payment: payment?.id ?? '',
    ...(problem && { problem: `${problem.code}: ${problem.detail}` }),
  }
}
