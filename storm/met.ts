import type { Event } from '../client/src/index.ts'
import type { Seen } from './network.ts'

/** Everything that an app has met in its lives: how often, by kind. */
export class Met {
  readonly #counts = new Map<string, Map<string, number>>()

  /** An action of the app: if it is always refused, the storm proves nothing. */
  action(name: string, outcome: 'done' | 'refused'): void {
    this.#count('actions', `${name}, ${outcome}`)
  }

  request({ code, fault }: Seen): void {
    if (code !== undefined) this.#count('refusals', code)
    if (fault !== undefined) this.#count('network', fault)
  }

  event({ type, data }: Event): void {
    const { status, state = status, returnCode } = data as { status?: string; state?: string; returnCode?: string }
    this.#count('events', type)
    if (state !== undefined) this.#count('states', `${type.split('.')[0]} ${state}`)
    if (returnCode !== undefined) this.#count('return codes', returnCode)
  }

  /** Rows of a table: the kind, what was met, and how often. */
  rows(): { kind: string; met: string; times: number }[] {
    return [...this.#counts]
      .flatMap(([kind, counts]) => [...counts].map(([met, times]) => ({ kind, met, times })))
      .sort((one, other) => one.kind.localeCompare(other.kind) || one.met.localeCompare(other.met))
  }

  #count(kind: string, name: string): void {
    const counts = this.#counts.get(kind) ?? new Map<string, number>()
    counts.set(name, (counts.get(name) ?? 0) + 1)
    this.#counts.set(kind, counts)
  }
}
