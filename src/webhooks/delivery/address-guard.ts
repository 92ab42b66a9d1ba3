import { lookup as systemLookup } from 'node:dns/promises'
import { BlockList, isIP, isIPv4, type LookupFunction } from 'node:net'
import { buildConnector } from 'undici'

export interface Address {
  address: string
  family: number
}

/** All addresses of a host name. */
export type Resolve = (hostname: string) => Promise<Address[]>

/** Decides where webhooks may go to. Whoever may register a URL must not reach into the network behind the service. */
export interface AddressGuard {
  /** What is wrong with a URL as far as can be told beforehand; undefined where nothing is. */
  faultOf(url: URL): Promise<string | undefined>
  /** Makes connections; the address that was judged is the one that is connected to. */
  connect: buildConnector.connector
}

class AddressRefused extends Error {}

export interface GuardOptions {
  mode: 'sandbox' | 'live'
  resolve?: Resolve
  connectTimeoutMs: number
}

/** How long a registration waits for the name's addresses: they are judged again for every connection. */
const COURTESY_MS = 2_000

export function openAddressGuard({ mode, resolve = systemResolve, connectTimeoutMs }: GuardOptions): AddressGuard {
  const live = mode === 'live'

  function refusalOf(address: string): string | undefined {
    return mayConnect(address, mode) ? undefined : `${address} is no address that webhooks may be sent to`
  }

  async function judged(hostname: string): Promise<Address[]> {
    const addresses = await resolve(hostname)
    if (addresses.length === 0) throw new AddressRefused(`${hostname} has no address`)
    // Which one is not told: what a name means in the network behind the service is no business of the caller's.
    if (!addresses.every(({ address }) => mayConnect(address, mode))) {
      throw new AddressRefused(`${hostname} has an address that webhooks may not be sent to`)
    }
    return addresses
  }

  const lookup: LookupFunction = (hostname, { all }, callback) => {
    judged(hostname).then(
      (addresses) => {
        if (all) callback(null, addresses)
        else callback(null, addresses[0]?.address ?? '', addresses[0]?.family)
      },
      (error: Error) => callback(error, ''),
    )
  }
  const connect = buildConnector({ timeout: connectTimeoutMs, lookup } as buildConnector.BuildOptions)

  return {
    async faultOf({ protocol, hostname }) {
      if (live && protocol !== 'https:') return 'In live mode webhooks are sent by https only.'
      const host = bare(hostname)
      if (isIP(host)) return refusalOf(host)
      if (!live) return undefined
      const courtesy = AbortSignal.timeout(COURTESY_MS)
      const late = new Promise<undefined>((settle) => courtesy.addEventListener('abort', () => settle(undefined)))
      // A name that cannot be resolved now may be known by the time there is something to send.
      const fault = judged(hostname).then(
        () => undefined,
        (error: Error) => (error instanceof AddressRefused ? error.message : undefined),
      )
      return Promise.race([fault, late])
    },

    connect(options, callback) {
      const host = bare(options.hostname)
      // The system is not asked about an address that is written out.
      const refusal = isIP(host) ? refusalOf(host) : undefined
      if (live && options.protocol !== 'https:') callback(new AddressRefused('not https'), null)
      else if (refusal !== undefined) callback(new AddressRefused(refusal), null)
      else connect(options, callback)
    },
  }
}

const systemResolve: Resolve = (hostname) => systemLookup(hostname, { all: true })

function bare(hostname: string): string {
  return hostname.replace(/^\[(.*)\]$/, '$1')
}

/** Whether a connection may be made to an address: in live mode a public one; a sandbox's app may run next door. */
export function mayConnect(address: string, mode: 'sandbox' | 'live'): boolean {
  if (!isIP(address) || address.includes('%')) return false
  const family = isIPv4(address) ? 'ipv4' : 'ipv6'
  if (metadata.check(address, family) || (family === 'ipv6' && mapped.check(address, 'ipv6'))) return false
  if (mode === 'sandbox' && nextDoor.check(address, family)) return true
  if (family === 'ipv4') return !reserved.check(address, 'ipv4')
  return globalUnicast.check(address, 'ipv6') && !reserved.check(address, 'ipv6')
}

/** Loopback and private networks. Link-local is not among them: clouds hand out their machines' credentials there. */
const nextDoor = blocksOf(['127.0.0.0/8', '10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16'], ['::1/128', 'fc00::/7'])

/** Where clouds hand out credentials at addresses that look private or public: Azure's, Amazon's, Google's. */
const metadata = blocksOf(['168.63.129.16/32'], ['fd00:ec2::/32', 'fd20:ce::/32'])

/** IPv4 in the clothes of IPv6; it would be judged by the rules of the one and connected to as the other. */
const mapped = blocksOf([], ['::ffff:0:0/96'])

/** Of IPv6 only this is public; what maps, translates or tunnels IPv4 lies elsewhere or is named below. */
const globalUnicast = blocksOf([], ['2000::/3'])

/** What the registries of special addresses list as not globally reachable, and what carries another address inside. */
const reserved = blocksOf(
  [
    '0.0.0.0/8',
    '10.0.0.0/8',
    '100.64.0.0/10',
    '127.0.0.0/8',
    '169.254.0.0/16',
    '172.16.0.0/12',
    '192.0.0.0/24',
    '192.0.2.0/24',
    '192.88.99.0/24',
    '192.168.0.0/16',
    '198.18.0.0/15',
    '198.51.100.0/24',
    '203.0.113.0/24',
    '224.0.0.0/4',
    '240.0.0.0/4',
  ],
  ['2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20'],
)

function blocksOf(ipv4: string[], ipv6: string[]): BlockList {
  const list = new BlockList()
  for (const [family, blocks] of [['ipv4', ipv4] as const, ['ipv6', ipv6] as const]) {
    for (const block of blocks) {
      const [network = '', bits] = block.split('/')
      list.addSubnet(network, Number(bits), family)
    }
  }
  return list
}
