import { dataDirOption, operatorCommand } from '../operate.ts'

export const auditVerify = operatorCommand({
  path: 'audit verify',
  summary: 'Proves that noted heads are part of the chain of events',
  description:
    'Walks the chain of hashes in the database itself, so the proof does not depend on the service, which may run or not. A head is the answer of GET /v0/audit-log/head, noted earlier. Exits with 1 if a head is not part of the chain, and names the first event that differs.',
  options: [
    { flags: '--heads <file>', description: 'File with the JSON of one head, or of one on each line' },
    { flags: '--organisation <id>', description: 'Organisation of a head that is given by options' },
    { flags: '--sequence <number>', description: 'Its sequence number' },
    { flags: '--link <link>', description: 'Its link' },
    dataDirOption,
  ],
  examples: [{ run: 'purser audit verify --heads heads.jsonl', does: 'Compares every noted head with the chain' }],
  load: async () => (await import('../../src/operator/audit.ts')).verifyHeads,
})
