import { nearestName } from '../../../ground/nearest-name.ts'
import { type Fault, invalidRequest, MAX_FAULTS, type Problem } from '../../base/problem.ts'

/** The answer to a hostile request stays small: past this many characters no further fault is collected. */
const MAX_CHARACTERS = 256 * 1024
const MAX_NAME = 128

/** The faults of one request, bounded in number and in size. A loop that adds faults stops when it is full. */
export class Faults {
  readonly list: Fault[] = []
  #characters = 0

  get full(): boolean {
    return this.list.length >= MAX_FAULTS || this.#characters >= MAX_CHARACTERS
  }

  add(fault: Fault): void {
    if (this.full) return
    this.list.push(fault)
    this.#characters += fault.message.length + (fault.pointer ?? fault.parameter ?? '').length
  }

  problem(): Problem {
    return invalidRequest(this.list, this.full)
  }
}

/** The JSON pointer of a member. A very long name is cut, because a request may repeat it a thousand times. */
export function pointerTo(parent: string, name: string): string {
  return `${parent}/${shortName(name).replaceAll('~', '~0').replaceAll('/', '~1')}`
}

/** A name that a caller sent, cut to what an error message can hold. */
export function shortName(name: string): string {
  return name.length > MAX_NAME ? `${name.slice(0, MAX_NAME).toWellFormed()}…` : name
}

/** The message for a name that an operation does not take. A typo in a money filter must not return everything. */
export function unknownMessage(name: string, names: string[]): string {
  const shown = shortName(name)
  const nearest = nearestName(name, names)
  if (nearest !== undefined) return `${shown} is not known; did you mean ${nearest}?`
  return names.length > 0
    ? `${shown} is not known; known names: ${names.join(', ')}`
    : `${shown} is not known; nothing is accepted here`
}
