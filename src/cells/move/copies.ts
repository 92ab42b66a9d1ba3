/** The parts of a move that archives of an organisation need as well: they have the same rows. */
export { addShares, findUnderWay, readShares } from './files.sql.ts'
export { fingerprintOf, isConverting, markArrived, migrationsOf } from './rows.sql.ts'
export { announceArrival } from './state.sql.ts'
