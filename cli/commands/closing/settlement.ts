import { dataDirOption, onDatabase, operatorCommand } from '../../operate.ts'

const statements = () => import('../../../src/operator/closing/statements.ts')
const items = () => import('../../../src/operator/closing/items.ts')
const reason = { flags: '--reason <text>', description: 'Reason, up to 400 characters', required: true }
const item = { name: 'item', description: 'Id of the item' }

export const settlementTake = operatorCommand({
  path: 'settlement take',
  summary: 'Takes bank statements of the settlement account',
  description: `Reads BAI2, camt.053, or CSV if PURSER_STATEMENT_CSV describes it, and matches the lines. A file is taken once; one that cannot be trusted is refused as a whole, with exit code 1. ${onDatabase}`,
  arguments: [{ name: 'files', description: 'Files, at most 32 MiB each', variadic: true }],
  options: [
    { flags: '--replace <reason>', description: 'Take the statement in the place of another one of its day' },
    dataDirOption,
  ],
  examples: [{ run: 'purser settlement take 2026-02-03.bai', does: 'Takes the statement of a day' }],
  load: async () => (await statements()).takeStatementFiles,
})

export const settlementStatements = operatorCommand({
  path: 'settlement statements',
  summary: 'Lists the bank statements that were taken or refused',
  description: onDatabase,
  options: [dataDirOption],
  examples: [{ run: 'purser settlement statements', does: 'Lists the latest files and their statements' }],
  load: async () => (await statements()).listStatementFiles,
})

export const settlementItems = operatorCommand({
  path: 'settlement items',
  summary: 'Lists lines of the statement and movements of the ledger that do not match',
  description: `Shows what each open item may be. With --day it shows all items of a day, and why they match. ${onDatabase}`,
  options: [{ flags: '--day <date>', description: 'All items of this day' }, dataDirOption],
  examples: [{ run: 'purser settlement items', does: 'Lists the open items, the oldest first' }],
  load: async () => (await items()).listSettlementItems,
})

export const settlementMatch = operatorCommand({
  path: 'settlement match',
  summary: 'Matches items by hand',
  description: `The lines and the movements must have the same sum. ${onDatabase}`,
  arguments: [{ name: 'items', description: 'Ids of the items', variadic: true }],
  options: [reason, dataDirOption],
  examples: [
    {
      run: 'purser settlement match 12 15 16 --reason "One wire for two files"',
      does: 'Matches a line to two movements',
    },
  ],
  load: async () => (await items()).matchSettlementItems,
})

export const settlementUnmatch = operatorCommand({
  path: 'settlement unmatch',
  summary: 'Ends the match of an item',
  description: `All items of the match are open again, and no rule matches them from then on. ${onDatabase}`,
  arguments: [item],
  options: [reason, dataDirOption],
  examples: [{ run: 'purser settlement unmatch 12 --reason "Another file"', does: 'Ends a match' }],
  load: async () => (await items()).unmatchSettlementItem,
})

export const settlementSplit = operatorCommand({
  path: 'settlement split',
  summary: 'Splits an item into parts',
  description: `Each part is matched or booked by itself. Write -- in front of negative amounts. ${onDatabase}`,
  arguments: [item, { name: 'amounts', description: 'Cents of the parts, with the sign of the item', variadic: true }],
  options: [reason, dataDirOption],
  examples: [
    { run: 'purser settlement split --reason "A fee is inside" 12 99500 500', does: 'Splits a line of $1,000' },
  ],
  load: async () => (await items()).splitSettlementItem,
})

export const settlementBook = operatorCommand({
  path: 'settlement book',
  summary: 'Books an item that the other side does not know',
  description: `A line of the statement is booked in the ledger; a movement that the bank does not know is reversed. The new movement is of today, and its description is the reason. An item is booked once. ${onDatabase}`,
  arguments: [item],
  options: [
    {
      ...{ flags: '--to <account>', description: 'Account that the money comes from or goes to', required: true },
      choices: ['fees', 'funding', 'suspense', 'write-off'],
    },
    { flags: '--organisation <id>', description: 'Organisation whose accounts are used (default: the first one)' },
    ...[reason, dataDirOption],
  ],
  examples: [
    { run: 'purser settlement book 12 --to fees --reason "Fees of January"', does: 'Books a fee of the bank' },
  ],
  load: async () => (await items()).bookSettlementItem,
})

export const settlementNote = operatorCommand({
  path: 'settlement note',
  summary: 'Names who answers for an open item',
  description: `A day can be closed with an item for which somebody answers; its certificate lists it. --direction says which way the money of a line went, if its type code does not. ${onDatabase}`,
  arguments: [item],
  options: [
    { flags: '--owner <name>', description: 'Person who answers for it (default: the user)' },
    { flags: '--direction <direction>', description: 'Which way the money went', choices: ['credit', 'debit'] },
    ...[reason, dataDirOption],
  ],
  examples: [
    { run: 'purser settlement note 12 --owner Ada --reason "Asked the bank, case 77"', does: 'Takes an item over' },
  ],
  load: async () => (await items()).noteSettlementItem,
})
