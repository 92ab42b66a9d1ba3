import { ledgerRead } from './accounting.ts'
import { LedgerVerification } from './ledger-verification.ts'

/** Extension. Reads the last check of the laws of the ledger. */
export const getLedgerVerification = ledgerRead({
  id: 'getLedgerVerification',
  resource: 'ledger',
  verb: 'getVerification',
  path: '/v0/ledger/verification',
  summary: 'Get ledger verification',
  description: `Returns the last check of the laws of the ledger, which are statements that must always hold: each law for this organisation,
whether it holds, and rows that break it. \`POST /v0/ledger/verification\` runs a check; the result is kept until the next one. The
service repeats a check that is more than a day old, of the chain of hashes over the events as far as it is new. Before the first check \`status\` is \`NotRun\`. With a connector the ledger is at the upstream, and the answer is 501.`,
  data: LedgerVerification,
  problems: ['not_supported_by_provider'],
  run: ({ accounting, caller }) => accounting.getLedgerVerification(caller),
})
