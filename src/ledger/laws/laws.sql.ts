import { accountLaws } from './accounts.sql.ts'
import { achLaws } from './ach.sql.ts'
import { paymentLaws } from './payments.sql.ts'
import { recordLaws } from './records.sql.ts'
import { rewardLaws } from './rewards.sql.ts'

/**
 * The laws of the ledger in the order in which they are checked, each with a statement that selects the rows that break it.
 * A statement joins tables by equality only, so that PostgreSQL can hash them (`hashTables`): its time is then in proportion
 * to the rows, also if PostgreSQL has no statistics and would otherwise compare each row of a table with each row of another.
 */
export const laws = { ...accountLaws, ...rewardLaws, ...paymentLaws, ...achLaws, ...recordLaws }

export type Law = keyof typeof laws

export const lawNames = Object.keys(laws) as Law[]
