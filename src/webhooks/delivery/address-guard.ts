import { BlockList, isIP, isIPv4, type LookupFunction } from 'node:net'
import type { buildConnector } from 'undici'
import { type Address, openResolver, openSystemResolver, type Resolve } from './resolve.ts'

/** Decides if webhooks may go: a caller who registers a URL must not reach into the network behind the service. */
export interface AddressGuard {
  /**
   * Returns why a URL is not allowed, or undefined. It makes no DNS look-up, because the result would show the caller which
   * names exist in the internal network. Addresses are checked at every connection instead.
   */
  faultOf(url: URL): string | undefined
  /** Makes what connects to an address that has been judged. */
  connector(build: typeof buildConnector): buildConnector.connector
}

class AddressRefused extends Error {}

export interface GuardOptions {
  mode: 'sandbox' | 'live'
  resolve?: Resolve
  connectTimeoutMs: number
}

export function openAddressGuard({ mode, connectTimeoutMs, ...options }: GuardOptions): AddressGuard {
  const live = mode === 'live'
  const resolve = options.resolve ?? (live ? openResolver() : openSystemResolver({ waitMs: connectTimeoutMs }))
  const judge = live ? publicAddresses : allowedAddresses

  const lookup: LookupFunction = (hostname, { all }, callback) => {
    judge(hostname, resolve).then(
      (addresses) => {
        if (all) callback(null, addresses)
        else callback(null, addresses[0]?.address ?? '', addresses[0]?.family)
      },
      (error: Error) => callback(error, ''),
    )
  }

  function faultOf({ protocol, hostname }: Pick<URL, 'protocol' | 'hostname'>): string | undefined {
    if (live && protocol !== 'https:') return 'In live mode webhooks are sent by https only.'
    const host = bare(hostname)
    const refused = isIP(host) && !mayConnect(host, mode)
    return refused ? `Webhooks may not be sent to the address ${host}.` : undefined
  }

  return {
    faultOf,
    connector(build) {
      const connect = build({ timeout: connectTimeoutMs, lookup } as buildConnector.BuildOptions)
      return (options, callback) => {
        // No look-up is made for an address that is written out.
        const fault = faultOf({ protocol: options.protocol, hostname: options.hostname })
        if (fault === undefined) connect(options, callback)
        else callback(new AddressRefused(fault), null)
      }
    },
  }
}

/** The addresses of a name in sandbox mode. One that is not allowed refuses the name. */
async function allowedAddresses(hostname: string, resolve: Resolve): Promise<Address[]> {
  const addresses = await resolve(hostname)
  if (addresses.length === 0) throw new AddressRefused(`${hostname} has no address`)
  // The error does not say which one.
  if (!addresses.every(({ address }) => mayConnect(address, 'sandbox'))) {
    throw new AddressRefused(`${hostname} has an address that webhooks may not be sent to`)
  }
  return addresses
}

/**
 * The addresses of a name in live mode. The list of deliveries shows the error, which therefore is the same for a name that
 * does not exist, one that cannot be looked up, and one that exists in the network behind the service.
 */
async function publicAddresses(hostname: string, resolve: Resolve): Promise<Address[]> {
  const addresses = await resolve(hostname).catch(() => [])
  if (addresses.length > 0 && addresses.every(({ address }) => mayConnect(address, 'live'))) return addresses
  throw new AddressRefused(`${hostname} has no public address`)
}

function bare(hostname: string): string {
  return hostname.replace(/^\[(.*)\]$/, '$1')
}

/** Whether webhooks may be sent to an address: in live mode a public one; in sandbox mode also a private one, where a developer's app runs. */
export function mayConnect(address: string, mode: 'sandbox' | 'live'): boolean {
  if (!isIP(address) || address.includes('%')) return false
  const family = isIPv4(address) ? 'ipv4' : 'ipv6'
  if (metadata.check(address, family) || (family === 'ipv6' && mapped.check(address, 'ipv6'))) return false
  if (mode === 'sandbox' && privateNetworks.check(address, family)) return true
  if (family === 'ipv4') return !reserved.check(address, 'ipv4')
  return globalUnicast.check(address, 'ipv6') && !reserved.check(address, 'ipv6')
}

/** Loopback and private networks. Link-local is not among them: clouds serve the credentials of machines there. */
const privateNetworks = blocksOf(
  ['127.0.0.0/8', '10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16'],
  ['::1/128', 'fc00::/7'],
)

/** Addresses outside link-local at which clouds serve credentials: Azure's, Amazon's, Google's. */
const metadata = blocksOf(['168.63.129.16/32'], ['fd00:ec2::/32', 'fd20:ce::/32'])

/** IPv4 addresses mapped into IPv6: they would be judged as the one and connected to as the other. */
const mapped = blocksOf([], ['::ffff:0:0/96'])

/** The public addresses of IPv6. Ranges that map, translate or tunnel IPv4 lie outside, or are listed below. */
const globalUnicast = blocksOf([], ['2000::/3'])

/** Ranges that the IANA registries list as not globally reachable, and ranges that carry another address inside. */
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
