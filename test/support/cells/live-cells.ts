import { claimFurther } from '../../../src/cells/claim.ts'
import { openDatabase, plainTimeouts } from '../../../src/database/database.ts'
import type { AchSettings } from '../../../src/rails/ach/settings.ts'
import { createDatabase, openTestBank, type TestBank, type TestDatabase } from '../harness.ts'
import { makePayer, type Payer } from '../ledger.ts'
import { ROUTING_NUMBER } from '../live/program.ts'
import { databaseUrl } from '../service.ts'
import { ENCRYPTION_KEY } from './home-cell.ts'

/** A cell of a live bank. A sandbox on the same database makes its records. */
export interface LiveCell {
  sandbox: TestBank
  live: TestBank
  payer: Payer
}

export interface LiveCells {
  home: LiveCell
  east: LiveCell
  /** The variables of a command that works on both, in live mode. */
  environment: Record<string, string>
  close(): Promise<void>
}

/** Two cells of a live bank whose payments leave with ACH files. */
export async function openLiveCells(ach: AchSettings): Promise<LiveCells> {
  const databases = [await createDatabase(), await createDatabase()] as const
  const [first, second] = databases
  const open = ({ server }: TestDatabase) =>
    openDatabase({ servers: [server], connections: 1, timeouts: plainTimeouts })
  const [homeDatabase, database] = [open(first), open(second)]
  await claimFurther(homeDatabase, { name: 'east', setting: 'PURSER_CELL_EAST', database })
  await Promise.all([homeDatabase.close(), database.close()])
  const [home, east] = [await openCell(first, ach), await openCell(second, ach)]
  return {
    home,
    east,
    environment: {
      ...{ PURSER_MODE: 'live', PURSER_ACH: 'windows', PURSER_ROUTING_NUMBER: ROUTING_NUMBER },
      ...{ DATABASE_URL: databaseUrl(first.server), PURSER_CELL_EAST: databaseUrl(second.server) },
      PURSER_ENCRYPTION_KEY: ENCRYPTION_KEY.toString('base64'),
      ...{ PURSER_ACH_DESTINATION: ach.destination, PURSER_ACH_DESTINATION_NAME: ach.destinationName },
      ...{ PURSER_ACH_ORIGIN_NAME: ach.originName, PURSER_ACH_COMPANY_NAME: ach.companyName },
      ...{ PURSER_ACH_COMPANY_ID: ach.companyId, PURSER_ACH_OUTGOING: ach.outgoing, PURSER_ACH_INCOMING: ach.incoming },
    },
    close: async () => {
      for (const { live, sandbox } of [home, east]) {
        await live.close()
        await sandbox.close()
      }
      for (const { drop } of databases) await drop()
    },
  }
}

async function openCell(on: TestDatabase, ach: AchSettings): Promise<LiveCell> {
  const sandbox = await openTestBank({ on, ach })
  const live = await openTestBank({ on, mode: 'live', ach })
  return { sandbox, live, payer: await makePayer(sandbox, 500_00) }
}
