import { ledgerWrite } from './accounting.ts'
import { LedgerVerification } from './ledger-verification.ts'

/** Extension. Checks the laws of the ledger now, for the caller's organisation alone. */
export const runLedgerVerification = ledgerWrite({
  id: 'runLedgerVerification',
  resource: 'ledger',
  verb: 'runVerification',
  path: '/v0/ledger/verification',
  summary: 'Run ledger verification',
  description: `Checks the laws of the ledger and the chain of hashes over the events now, for this organisation alone, and keeps the result for
\`GET /v0/ledger/verification\`. All laws of the ledger are checked on one snapshot, without locks, so payments go on meanwhile.

A check takes at most 25 seconds; the laws that it has not checked by then have \`holds\` null. A process runs one check at a
time. Requests of the same organisation wait for it and get its result; those of others wait for their turn and get 503 after
30 seconds. Emits no event, because nothing changes. With a connector the ledger is at the upstream, and the
answer is 501.`,
  data: LedgerVerification,
  problems: ['not_supported_by_provider'],
  run: ({ accounting, write }) => accounting.runLedgerVerification(write),
})
