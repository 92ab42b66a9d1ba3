import { dataDirOption, onDatabase, operatorCommand } from '../../operate.ts'

const days = () => import('../../../src/operator/closing/days.ts')

export const dayShow = operatorCommand({
  path: 'day show',
  summary: 'Shows the banking days, what keeps one open, or the certificate of a closed one',
  description: `Without a day it lists all days that are over. For an open day it shows every amount to the cent and each reason why it cannot be closed, and exits with 1 if there is one. For a closed day it prints the signed certificate. ${onDatabase}`,
  arguments: [{ name: 'date', description: 'Banking day in Eastern time, such as 2026-02-03', optional: true }],
  options: [
    { flags: '--certificate <version>', description: 'Version of the certificate of a day that was reopened' },
    dataDirOption,
  ],
  examples: [{ run: 'purser day show', does: 'Lists the days and their states' }],
  load: async () => (await days()).showDay,
})

export const dayClose = operatorCommand({
  path: 'day close',
  summary: 'Closes a banking day against the statement of the settlement account',
  description: `All accounts must add up to zero, and the statement must equal the ledger with the listed items added or subtracted. The certificate is signed with PURSER_CLOSING_KEY and names that of the day before. Exits with 1 and the reasons, in cents, if the day stays open. ${onDatabase}`,
  arguments: [{ name: 'date', description: 'Banking day in Eastern time, such as 2026-02-03' }],
  options: [dataDirOption],
  examples: [{ run: 'purser day close 2026-02-03', does: 'Closes a day' }],
  load: async () => (await days()).closeDay,
})

export const dayReopen = operatorCommand({
  path: 'day reopen',
  summary: 'Opens the last closed day again',
  description: `The certificate stays, and the next version names it and the reason. Days are reopened from the last one on. ${onDatabase}`,
  arguments: [{ name: 'date', description: 'The last closed day' }],
  options: [{ flags: '--reason <text>', description: 'Reason, up to 400 characters', required: true }, dataDirOption],
  examples: [{ run: 'purser day reopen 2026-02-03 --reason "The bank corrects its statement"', does: 'Reopens a day' }],
  load: async () => (await days()).reopenClosedDay,
})

export const dayVerify = operatorCommand({
  path: 'day verify',
  summary: 'Verifies certificates of closed days without a database',
  description:
    'Checks the bytes, the signature and the sums of each certificate, and that each follows the one of the banking day before. Exits with 1 and every fault found. --key compares the signing key with one that you keep elsewhere: without it, a chain that somebody else signed from the beginning also passes.',
  arguments: [{ name: 'files', description: 'Certificates, in any order', variadic: true }],
  options: [{ flags: '--key <file>', description: 'File with the public key as PEM' }],
  examples: [{ run: 'purser day verify 2026-02-02.json 2026-02-03.json', does: 'Verifies two days' }],
  load: async () => (await days()).verifyDays,
})
