import { Resolver, lookup as systemLookup } from 'node:dns/promises'
import { concurrencyLimit } from '../../base/concurrency-limit.ts'

export interface Address {
  address: string
  family: number
}

/** All addresses of a host name; rejects if it has none. */
export type Resolve = (hostname: string) => Promise<Address[]>

export interface NameServers {
  timeoutMs?: number
  /** `address:port`; those of the system unless given. */
  servers?: string[]
}

/** Queries to a name server, each with its own time-out. */
const TRIES = 2

/**
 * Asks the name servers directly. The system's own look-up runs in one of four threads that files and encryption need, too,
 * and waits as long as the slowest name server: a few endpoints with slow names would hold up the process.
 */
export function openResolver({ timeoutMs = 2_000, servers }: NameServers = {}): Resolve {
  const resolver = new Resolver({ timeout: timeoutMs, tries: TRIES })
  if (servers) resolver.setServers(servers)
  return async (hostname) => {
    const [four, six] = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)])
    if (four.status === 'rejected' && six.status === 'rejected') throw four.reason
    return [...addressesOf(four, 4), ...addressesOf(six, 6)]
  }
}

function addressesOf(answer: PromiseSettledResult<string[]>, family: number): Address[] {
  return answer.status === 'fulfilled' ? answer.value.map((address) => ({ address, family })) : []
}

export interface SystemLookups {
  /** Look-ups at a time, of the four that the threads allow. */
  max?: number
  waitMs: number
  lookup?: Resolve
}

/** Asks the system, which knows the hosts file of a developer's machine. Leaves threads to the rest of the process. */
export function openSystemResolver({ max = 2, waitMs, lookup = lookupAll }: SystemLookups): Resolve {
  const limit = concurrencyLimit({ total: max, perOrganisation: max, waitMs })
  // The limit is for all organisations together: a look-up does not know whose endpoint it is for.
  return (hostname) => limit(0, () => lookup(hostname))
}

const lookupAll: Resolve = (hostname) => systemLookup(hostname, { all: true })
