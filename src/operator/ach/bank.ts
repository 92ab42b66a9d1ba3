import { openClosers } from '../../base/closers.ts'
import { type Core, openCore } from '../../cell/core.ts'
import { visitServers } from '../../database/visit.ts'
import { requireKey } from '../../secrets/marker.ts'
import { storedEncryptionKey } from '../../secrets/secret-file.ts'
import type { Surroundings } from '../command.ts'

/** Runs `work` with the bank of a service, whether the service is running or not. */
export async function visitBank<T>({ config, closers }: Surroundings, work: (core: Core) => Promise<T>): Promise<T> {
  const settings = config()
  const { encryptionKey: key, newEncryptionKey: next, dataDir } = settings
  const visit = async (servers: Core['servers']) => {
    const encryptionKeys = [key ?? (await storedEncryptionKey(dataDir)), ...(next ? [next] : [])]
    const own = openClosers()
    const core = openCore({ settings, servers, encryptionKeys, closers: own })
    try {
      await requireKey(core.database, encryptionKeys)
      return await work(core)
    } finally {
      await own.close()
    }
  }
  return visitServers(settings, visit, closers)
}
