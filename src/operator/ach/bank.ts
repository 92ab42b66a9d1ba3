import { type Core, openCore } from '../../backend/core.ts'
import type { OtherDatabase } from '../../bank/ach/spread/spread.ts'
import { openClosers } from '../../base/closers.ts'
import { type CellPlace, cellsOf } from '../../cells/settings.ts'
import { DatabaseUnavailable } from '../../database/database.ts'
import { visitServers } from '../../database/visit.ts'
import { requireKey } from '../../secrets/marker.ts'
import { encryptionKeysOf } from '../../secrets/secret-file.ts'
import type { OperatorCall } from '../command.ts'

/** Runs `work` with the bank of a cell, whether the service is running or not. */
export async function visitBank<T>(
  { config, closers }: OperatorCall,
  place: CellPlace,
  work: (core: Core) => Promise<T>,
): Promise<T> {
  const settings = config()
  const visit = async (servers: Core['servers']) => {
    const encryptionKeys = await encryptionKeysOf(settings)
    const own = openClosers()
    const core = openCore({ settings, servers, encryptionKeys, closers: own })
    try {
      await requireKey(core.database, encryptionKeys)
      return await work(core)
    } finally {
      await own.close()
    }
  }
  return visitServers(place, visit, closers)
}

/** Runs `work` with the bank of the home cell, and with the further cells for the entries of a file that are theirs. */
export function visitOtherDatabases<T>(
  call: OperatorCall,
  work: (home: Core, found: OtherDatabase[]) => Promise<T>,
): Promise<T> {
  const [home, ...further] = cellsOf(call.config())
  return visitBank(call, home, (core) => joinFurther(call, further, [], (found) => work(core, found)))
}

/** Opens the further cells one after the other. One whose database is away stays among them without its shares. */
async function joinFurther<T>(
  call: OperatorCall,
  [place, ...others]: CellPlace[],
  found: OtherDatabase[],
  work: (found: OtherDatabase[]) => Promise<T>,
): Promise<T> {
  if (!place) return work(found)
  const { name } = place
  let isOpen = false
  const go = (shares: OtherDatabase['shares']) => joinFurther(call, others, [...found, { name, shares }], work)
  try {
    return await visitBank(call, place, ({ builtin }) => {
      isOpen = true
      return go(builtin.shares)
    })
  } catch (error) {
    if (isOpen || !(error instanceof DatabaseUnavailable)) throw error
    return go(undefined)
  }
}
