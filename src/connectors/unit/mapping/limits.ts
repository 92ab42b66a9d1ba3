import { type Fault, invalidRequest } from '../../../base/problem.ts'
import { childOf } from '../resource.ts'

/** The check of one attribute. */
type Check = (value: unknown) => Fault[]

/** Limits that the upstream describes and the interface does not have, by the attribute's name in the upstream's form. */
const limits: Record<string, Check> = {
  tags: (tags) =>
    Object.entries(childOf(tags))
      .filter(([, value]) => value === '')
      .map(([name]) => fault(`/tags/${escaped(name)}`, 'too_short', `tags.${name} must not be empty`)),
  address: (address) => addressFaults(address, 'address'),
  shippingAddress: (address) => addressFaults(address, 'shippingAddress'),
  fullName: (name) =>
    childOf(name).last === '' ? [fault('/name', 'bad_format', 'name must hold a first and a last name')] : [],
  email: (email) =>
    isMailbox(String(email)) ? [] : [fault('/email', 'bad_format', 'email must be an address of ASCII characters')],
}

/** The reasons for closing an account that the upstream knows. */
const closeReasons: unknown[] = ['ByCustomer', 'Fraud']

/**
 * Refuses attributes that the upstream would refuse, before anything is sent. The pointers are those of the interface,
 * which has these members in the same places.
 */
export function requireAccepted({ type, attributes }: { type: string; attributes: object }): void {
  const faults = Object.entries(attributes).flatMap(([name, value]) =>
    value === undefined ? [] : (limits[name]?.(value) ?? []),
  )
  if (type === 'depositAccountClose' && !closeReasons.includes(childOf(attributes).reason)) {
    faults.push(fault('/reason', 'not_allowed', `reason must be one of ${closeReasons.join(', ')}`))
  }
  if (faults.length > 0) throw invalidRequest(faults)
}

/** The upstream serves addresses in the United States only; the interface has checked their state and ZIP code. */
function addressFaults(address: unknown, name: string): Fault[] {
  if (childOf(address).country === 'US') return []
  return [fault(`/${name}/country`, 'not_allowed', `${name}.country must be US`)]
}

function fault(pointer: string, code: string, message: string): Fault {
  return { pointer, code, message: `${message} for this provider` }
}

/** A name in a JSON pointer. */
function escaped(name: string): string {
  return name.replaceAll('~', '~0').replaceAll('/', '~1')
}

const ATOMS = /^[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+(\.[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+)*$/
const LABELS = /^[A-Za-z0-9]([A-Za-z0-9-]{0,61}[A-Za-z0-9])?(\.[A-Za-z0-9]([A-Za-z0-9-]{0,61}[A-Za-z0-9])?)*$/

/** Whether a text is a mailbox of RFC 5321, in its usual form without quotes. */
function isMailbox(email: string): boolean {
  const [local = '', domain = ''] = email.split('@')
  return local.length <= 64 && ATOMS.test(local) && LABELS.test(domain)
}
