import { getAccount } from '../../banking/accounts/get-account.ts'
import { clock } from '../../base/clock.ts'
import type { Answer, Write } from '../../base/operation.ts'
import { Page, type PageQuery, totalIf } from '../../base/page.ts'
import { Problem, type ProblemCode } from '../../base/problem.ts'
import type { Claims } from '../../idempotency/upstream-claim.ts'
import type { UnitCall, UnitClient } from './client.ts'
import { requireAccepted } from './mapping/limits.ts'
import { couldExist } from './query.ts'
import { Garbled, type LeaveOut, pageFrom, parseDocument, type Resource, readable, resourceOf } from './resource.ts'

/** The parts that every resource of the connector works with. */
export interface UnitParts {
  client: UnitClient
  claims: Claims
}

/** An operation, by the problems that it can answer. */
interface Refusing {
  problems: ProblemCode[]
}

export interface Connector {
  /** Reads one record. */
  one<Result>(
    operation: Refusing,
    ids: string[],
    path: string,
    map: ReadRecord<Result>,
    deadlineMs?: number,
  ): Promise<Result>
  /** Reads a list; it is empty if a filter names a record that does not exist. Unreadable records are left out. */
  list<Item>(
    ids: (string | undefined)[],
    path: string,
    query: PageQuery,
    map: (resource: Resource) => Item,
    deadlineMs?: number,
  ): Promise<Page<Item>>
  /** A page of records that were read from a path. Unreadable ones are left out. */
  pageOf<Item>(path: string, records: Resource[], more: boolean, map: (resource: Resource) => Item): Page<Item>
  /** When a request that makes several calls must have ended. */
  deadlineMs(upload?: boolean): number
  /** Reads a document, if it is of the kind that was asked for. */
  bytes(operation: Refusing, ids: string[], path: string, isAskedFor: (bytes: Buffer) => boolean): Promise<Buffer>
  /** Creates a record, under an idempotency key that the upstream knows, too. */
  create<Data>(write: Write<Data>, operation: Refusing, order: Creation<Data>): Promise<Answer>
  /** Changes a record. The upstream has no idempotency key for it, so that it is sent once. */
  change<Data>(write: Write<Data>, operation: Refusing, order: Change<Data>): Promise<Answer>
}

/** Reads a record, with the related records of its answer. It can leave out some of these. */
type ReadRecord<Result> = (resource: Resource, included: unknown, leaveOut: LeaveOut) => Result

interface Creation<Data> {
  /** Ids in the path or the body, with the problem of a missing record; a malformed id is missing. */
  ids: [string, ProblemCode][]
  path: string
  data: { type: string; attributes: object; relationships?: object }
  map: ReadRecord<Data>
}

interface Change<Data> {
  ids: [string, ProblemCode][]
  method?: UnitCall<Data>['method']
  path: string
  body?: { data: { type: string; attributes: object } } | { bytes: Buffer; contentType: string }
  upload?: boolean
  read: UnitCall<Data>['read']
}

export function connectorOf({ client, claims }: UnitParts): Connector {
  const deadlineMs = (upload = false) => clock.elapsedMs() + client.budgetMs({ upload })

  return {
    deadlineMs,

    async one({ problems }, ids, path, map, untilMs = deadlineMs()) {
      requireKnown(ids.map((id) => [id, missingOf(problems)]))
      const read = recordOf(map)
      return client.call({ method: 'GET', path, repeatable: true, problems, deadlineMs: untilMs, read })
    },

    async list(ids, path, query, map, untilMs = deadlineMs()) {
      const none = () => new Page<ReturnType<typeof map>>([], false).counted(totalIf(query.count, 0))
      if (!couldExist(...ids)) return none()
      const read = (bytes: Buffer, leaveOut: LeaveOut) => pageFrom(parseDocument(bytes), query, map, leaveOut)
      // Only a filter can name a record that is missing.
      const missing = ids.some((id) => id !== undefined) && { missing: none }
      return client.call({ method: 'GET', path, repeatable: true, problems: [], deadlineMs: untilMs, read, ...missing })
    },

    pageOf(path, records, more, map) {
      const { items, omitted, reason } = readable(records, map, client.leaveOut(path))
      return new Page(items, more, undefined, omitted).because(reason)
    },

    async bytes({ problems }, ids, path, isAskedFor) {
      requireKnown(ids.map((id) => [id, missingOf(problems)]))
      const read = (bytes: Buffer) => {
        if (!isAskedFor(bytes)) throw new Garbled('the document is of another kind')
        return bytes
      }
      return client.call({ method: 'GET', path, repeatable: true, problems, read })
    },

    async create(write, { problems }, { ids, path, data, map }) {
      requireAccepted(data)
      requireKnown(ids)
      return claims.once(write, {
        repeatable: true,
        budgetMs: client.budgetMs({ path }),
        send: ({ upstreamKey: idempotencyKey, mayHaveRun, deadlineMs }) =>
          client.call({
            method: 'POST',
            path,
            body: { data: { ...data, attributes: { ...data.attributes, idempotencyKey } } },
            repeatable: true,
            mayHaveRun,
            deadlineMs,
            problems,
            read: recordOf(map),
          }),
      })
    },

    async change(write, { problems }, { ids, method = 'POST', path, body, upload = false, read }) {
      if (body && 'data' in body) requireAccepted(body.data)
      requireKnown(ids)
      return claims.once(write, {
        repeatable: false,
        budgetMs: client.budgetMs({ upload }),
        send: ({ deadlineMs }) =>
          client.call({ method, path, ...(body && { body }), upload, repeatable: false, deadlineMs, problems, read }),
      })
    },
  }
}

/** Makes a reader of one record. */
export function recordOf<Result>(map: ReadRecord<Result>): UnitCall<Result>['read'] {
  return (bytes, leaveOut) => {
    const { data, included } = parseDocument(bytes)
    return map(resourceOf(data), included, leaveOut)
  }
}

export function relation(type: string, id: string): { data: { type: string; id: string } } {
  return { data: { type, id } }
}

function requireKnown(ids: [string, ProblemCode][]): void {
  for (const [id, code] of ids) if (!couldExist(id)) throw new Problem(code)
}

function missingOf(problems: ProblemCode[]): ProblemCode {
  return problems.find((code) => code.endsWith('_not_found')) ?? 'route_not_found'
}

/** A record that a refusal may mean, and how to look whether it exists. */
interface Owner {
  operation: Refusing
  id: string
  path: string
  missing: ProblemCode
}

export function accountOwner(id: string): Owner {
  return { operation: getAccount, id, path: `/accounts/${id}`, missing: 'account_not_found' }
}

/** Looks which record is missing if the upstream does not name it: if the owner exists, it is the other one. */
export async function missingBeside(
  { one }: Pick<Connector, 'one'>,
  { operation, id, path, missing }: Owner,
  other: ProblemCode,
  error: unknown,
): Promise<never> {
  if (!(error instanceof Problem) || error.code !== missing) throw error
  const { errors = [] } = error
  if (errors.some(({ code }) => code === missing)) throw error
  await one(operation, [id], path, () => undefined)
  throw new Problem(other, { errors })
}
