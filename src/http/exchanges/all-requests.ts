import type { RecordedEvents } from '../../base/operation.ts'
import type { Peers } from '../../base/peers/peers.ts'
import type { LoggedRequest } from '../../events/requests/logged-request.ts'
import type { SharedNumbers } from './numbers.ts'
import { type FoundRequest, joined, type NamedRequests, type OwnRequests, type WantedRequests } from './own-requests.ts'

type Head = { organisationId: number; sequence: number }

/** The requests of all processes behind the port. */
export interface AllRequests {
  /** The number of the latest request. */
  head(organisationId: number): Promise<number>
  heads(organisationIds: number[]): Promise<Head[]>
  /** Requests in order, and the number up to which all were looked at. */
  list(wanted: WantedRequests): Promise<{ found: LoggedRequest[]; head: number }>
  named(wanted: NamedRequests): Promise<LoggedRequest[]>
  find(wanted: { organisationId: number; id: string }): Promise<FoundRequest | undefined>
  eventsOf(wanted: { organisationId: number; requestId: string }): Promise<RecordedEvents | undefined>
}

/** The requests of a service of one process. */
export function onlyOwn(own: OwnRequests): AllRequests {
  return {
    head: async (organisationId) => own.head(organisationId),
    heads: async (ids) => headsOf(own, ids),
    list: async (wanted) => {
      const head = own.head(wanted.organisationId)
      return { found: own.list(wanted), head }
    },
    named: async (wanted) => own.named(wanted),
    find: async (wanted) => own.find(wanted),
    eventsOf: async (wanted) => own.eventsOf(wanted),
  }
}

/** The requests of several processes. Each keeps its own, and answers the questions of the others. */
export function requestsOfAll(own: OwnRequests, numbers: SharedNumbers, peers: Peers): AllRequests {
  peers.answer('requests.list', ({ upTo, wanted }: { upTo: number; wanted: WantedRequests }) => {
    numbers.passed(upTo)
    return own.list(wanted)
  })
  peers.answer('requests.passed', (upTo: number) => numbers.passed(upTo))
  peers.answer('requests.heads', (ids: number[]) => headsOf(own, ids))
  peers.answer('requests.named', own.named)
  peers.answer('requests.find', own.find)
  peers.answer('requests.events', own.eventsOf)
  return {
    head: async () => {
      const upTo = numbers.now()
      numbers.passed(upTo)
      await peers.ask('requests.passed', upTo)
      return upTo
    },
    heads: async (ids) => {
      const others = await peers.ask<Head[]>('requests.heads', ids)
      return [...others.flat(), ...headsOf(own, ids)]
    },
    list: async (asked) => {
      const upTo = numbers.now()
      numbers.passed(upTo)
      const wanted = { ...asked, before: Math.min(asked.before, upTo + 1) }
      const others = await peers.ask<LoggedRequest[]>('requests.list', { upTo, wanted })
      const found = inOrder([...others.flat(), ...own.list(wanted)], wanted.descending)
      return { found: found.slice(0, wanted.most), head: upTo }
    },
    named: async (wanted) => {
      const others = await peers.ask<LoggedRequest[]>('requests.named', wanted)
      return inOrder([...others.flat(), ...own.named(wanted)], true).slice(0, wanted.most)
    },
    find: async (wanted) => {
      const here = own.find(wanted)
      if (here) return here
      const others = await peers.ask<FoundRequest | null>('requests.find', wanted)
      return others.find((one) => one !== null && one !== undefined) ?? undefined
    },
    eventsOf: async (wanted) => {
      const others = await peers.ask<RecordedEvents | null>('requests.events', wanted)
      return joined([...others, own.eventsOf(wanted)].flatMap((range) => range ?? []))
    },
  }
}

function headsOf(own: OwnRequests, ids: number[]): Head[] {
  return ids.map((organisationId) => ({ organisationId, sequence: own.head(organisationId) }))
}

function inOrder(requests: LoggedRequest[], descending: boolean): LoggedRequest[] {
  return requests.sort((one, other) => (descending ? other.sequence - one.sequence : one.sequence - other.sequence))
}
