import { join, resolve } from 'node:path'
import { hasBankPrefix, hasRoutingChecksum } from '../base/routing-number.ts'
import { defaultWindows, type Window } from '../rails/ach/calendar.ts'
import { SAME_DAY_LIMIT } from '../rails/ach/read-file.ts'
import type { AchMode } from '../rails/ach/settings.ts'
import { cents, matching, oneOf, text } from './kinds.ts'
import { type Kind, type Mode, type Reader, requireAll } from './reader.ts'

/** The settings of ACH files. A sandbox has defaults; in live mode the other bank must be named. */
export function achConfig(
  reader: Reader,
  mode: Mode,
  { routingNumber, dataDir }: { routingNumber: string; dataDir: string },
): AchMode {
  const { read } = reader
  const settings = {
    destination: read('PURSER_ACH_DESTINATION', routing, '061000146'),
    destinationName: read('PURSER_ACH_DESTINATION_NAME', plain(23), 'SANDBOX ACH OPERATOR'),
    origin: read('PURSER_ACH_ORIGIN', achOrigin, routingNumber).padStart(10),
    originName: read('PURSER_ACH_ORIGIN_NAME', plain(23), 'PURSER'),
    companyName: read('PURSER_ACH_COMPANY_NAME', plain(16), 'PURSER'),
    companyId: read('PURSER_ACH_COMPANY_ID', plain(10), routingNumber),
    windows: read('PURSER_ACH_WINDOWS', achWindows, defaultWindows),
    sameDayLimitCents: read('PURSER_ACH_SAME_DAY_LIMIT', cents, SAME_DAY_LIMIT),
    acknowledge: read('PURSER_ACH_ACKNOWLEDGE', oneOf('optional', 'required'), 'optional'),
    outgoing: resolve(read('PURSER_ACH_OUTGOING', text('a folder'), join(dataDir, 'ach', 'out'))),
    incoming: resolve(read('PURSER_ACH_INCOMING', text('a folder'), join(dataDir, 'ach', 'in'))),
  }
  if (read('PURSER_ACH', oneOf('instant', 'windows'), 'instant') === 'instant') return 'instant'
  if (!hasRoutingChecksum(routingNumber)) {
    reader.fault('PURSER_ROUTING_NUMBER must be a routing number with a right checksum with PURSER_ACH=windows')
  }
  if (mode === 'live') requireBanks(reader, { routingNumber, ...settings })
  return settings
}

/** Files of a live bank are from a bank and to a bank: those of a sandbox are invented. */
function requireBanks(reader: Reader, given: { routingNumber: string; destination: string }): void {
  const names = ['DESTINATION', 'DESTINATION_NAME', 'ORIGIN_NAME', 'COMPANY_NAME', 'COMPANY_ID', 'OUTGOING']
  const required = ['PURSER_ROUTING_NUMBER', ...names.map((name) => `PURSER_ACH_${name}`)]
  requireAll(reader, required, 'PURSER_ACH=windows in live mode')
  const numbers = { PURSER_ROUTING_NUMBER: given.routingNumber, PURSER_ACH_DESTINATION: given.destination }
  for (const [name, number] of Object.entries(numbers)) {
    if (!reader.has(name) || hasBankPrefix(number)) continue
    reader.fault(`${name} must be the routing number of a bank, which begins with 01 to 12, 21 to 32 or 61 to 72`)
  }
}

/** A text that an ACH file can carry. */
function plain(max: number): Kind<string> {
  return matching(new RegExp(`^[!-~]([ -~]{0,${max - 2}}[!-~])?$`), `up to ${max} ASCII characters`)
}

const routing: Kind<string> = {
  parse: (given) => (/^\d{9}$/.test(given) && hasRoutingChecksum(given) ? given : undefined),
  expected: 'a routing number: 9 digits with a right checksum',
}
const achOrigin = matching(/^(\d{9}|[A-Za-z0-9 ]{10})$/, '9 digits, or 10 letters and digits')

/** Cut-offs in rising order, each with the time at which same-day entries settle: 10:00=13:00,22:15. */
const achWindows: Kind<readonly Window[]> = {
  parse(given) {
    const list = given.split(',').map((part) => {
      const [, cutoff, , settles = null] =
        /^((?:[01]\d|2[0-3]):[0-5]\d)(=((?:[01]\d|2[0-3]):[0-5]\d))?$/.exec(part.trim()) ?? []
      return cutoff === undefined || (settles !== null && settles <= cutoff) ? undefined : { cutoff, settles }
    })
    const isRising = list.every((window, at) => window && (at === 0 || window.cutoff > (list[at - 1]?.cutoff ?? '')))
    return isRising && list.length <= 12 ? (list as Window[]) : undefined
  },
  expected: 'up to 12 rising cut-offs in Eastern time, each with the time of same-day settlement: 10:00=13:00,22:15',
}
