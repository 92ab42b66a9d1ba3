import { dataDirOption, onDatabase, operatorCommand } from '../operate.ts'

export const achCheck = operatorCommand({
  path: 'ach check',
  summary: 'Checks an ACH file',
  description:
    'Prints valid and a summary, or every fault with its line, column and code, and exits with 1. Warnings leave the exit code 0. Needs no service and no database. Prints text in a pipe, too; --json prints JSON lines.',
  arguments: [{ name: 'file', description: 'ACH file, at most 64 MiB' }],
  examples: [{ run: 'purser ach check payments.ach', does: 'Checks a file before it is sent or taken' }],
  load: async () => (await import('../../src/operator/ach/check.ts')).checkFile,
})

const id = { name: 'id', description: 'Id of the file' }

export const achList = operatorCommand({
  path: 'ach list',
  summary: 'Lists the ACH files of the bank',
  description: `${onDatabase} Lists the latest 200 files with their state and totals. A cell that is away is named, and the exit code is 5.`,
  options: [
    {
      flags: '--state <state>',
      description: 'Only files in this state',
      choices: ['building', 'built', 'delivering', 'unknown', 'delivered', 'acknowledged', 'rejected', 'void'],
    },
    dataDirOption,
  ],
  examples: [
    { run: 'purser ach list', does: 'Lists the latest files' },
    { run: 'purser ach list --state unknown', does: 'Lists the files that may or may not have been delivered' },
  ],
  load: async () => (await import('../../src/operator/ach/files.ts')).listFiles,
})

export const achShow = operatorCommand({
  path: 'ach show',
  summary: 'Shows an ACH file with its batches',
  description: `${onDatabase} With --content it prints the file itself, with account numbers and names.`,
  arguments: [id],
  options: [{ flags: '--content', description: 'Print the content of the file' }, dataDirOption],
  examples: [{ run: 'purser ach show "$FILE"', does: 'Shows the batches of a file and their states' }],
  load: async () => (await import('../../src/operator/ach/files.ts')).showFile,
})

export const achDeliver = operatorCommand({
  path: 'ach deliver',
  summary: 'Delivers an ACH file again if the outcome is unknown',
  description: `${onDatabase} Use it if the receiving bank does not have the file.`,
  arguments: [id],
  options: [dataDirOption],
  examples: [{ run: 'purser ach deliver "$FILE"', does: 'Puts the file into the outgoing folder once more' }],
  load: async () => (await import('../../src/operator/ach/files.ts')).deliverFile,
})

export const achDelivered = operatorCommand({
  path: 'ach delivered',
  summary: 'Notes that an ACH file was delivered',
  description: `${onDatabase} Use it if the receiving bank has the file, or if it was delivered by hand.`,
  arguments: [id],
  options: [dataDirOption],
  examples: [{ run: 'purser ach delivered "$FILE"', does: 'Ends the unknown state of a file' }],
  load: async () => (await import('../../src/operator/ach/files.ts')).noteDelivered,
})

export const achAcknowledge = operatorCommand({
  path: 'ach acknowledge',
  summary: 'Notes that the receiving bank accepted an ACH file',
  description: onDatabase,
  arguments: [id],
  options: [dataDirOption],
  examples: [{ run: 'purser ach acknowledge "$FILE"', does: 'Notes the acknowledgement of a file' }],
  load: async () => (await import('../../src/operator/ach/files.ts')).noteAcknowledged,
})

export const achReject = operatorCommand({
  path: 'ach reject',
  summary: 'Notes that the receiving bank refused an ACH file or a batch',
  description: `${onDatabase} The payments become Rejected, and the service gives their money back. A batch that has settled cannot be rejected.`,
  arguments: [id],
  options: [{ flags: '--batch <number>', description: 'Only this batch of the file' }, dataDirOption],
  examples: [
    { run: 'purser ach reject "$FILE"', does: 'Gives the money of all payments in the file back' },
    { run: 'purser ach reject "$FILE" --batch 2', does: 'Gives the money of one batch back' },
  ],
  load: async () => (await import('../../src/operator/ach/files.ts')).rejectFile,
})

export const achReverse = operatorCommand({
  path: 'ach reverse',
  summary: 'Takes back the payments of an ACH file or a batch',
  description: `${onDatabase} Each payment is reversed as by POST /v0/banking/payments/:paymentId/reverse, within five banking days of its settlement and a day of the discovery. Payments that cannot be are named, and the exit code is 1. A call that was interrupted can be repeated.`,
  arguments: [id],
  options: [
    { flags: '--batch <number>', description: 'Only this batch of the file' },
    {
      flags: '--reason <reason>',
      description: 'The error',
      choices: ['Duplicate', 'WrongReceiver', 'WrongAmount', 'WrongDate'],
      required: true,
    },
    { flags: '--discovered <time>', description: 'When the error was discovered, in bank time; now if absent' },
    dataDirOption,
  ],
  examples: [
    { run: 'purser ach reverse "$FILE" --reason Duplicate', does: 'Takes back a file that was sent twice' },
    { run: 'purser ach reverse "$FILE" --batch 2 --reason WrongDate', does: 'Takes back one batch' },
  ],
  load: async () => (await import('../../src/operator/ach/reverse.ts')).reverseFile,
})

export const achCompany = operatorCommand({
  path: 'ach company',
  summary: 'Sets the company of the ACH batches of an organisation',
  description: `${onDatabase} An empty text brings back the company of the settings.`,
  options: [
    { flags: '--organisation <name>', description: 'Name of the organisation', required: true },
    { flags: '--name <name>', description: 'Company name, up to 16 characters' },
    { flags: '--id <id>', description: 'Company identification, up to 10 characters' },
    dataDirOption,
  ],
  examples: [
    {
      run: 'purser ach company --organisation Acme --name "ACME INC" --id 1234567890',
      does: 'Names the company in the batches of an organisation',
    },
  ],
  load: async () => (await import('../../src/operator/ach/company.ts')).setCompany,
})
