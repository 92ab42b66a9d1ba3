/** Transfers of the past, which come with an organisation from its former system and not from the lane. */
export { insertInternalAccount } from './internal-accounts.sql.ts'
export { insertPastTransfers, type PastAccount, updatePastAccounts } from './write-batch.sql.ts'
