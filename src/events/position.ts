import { Type } from 'typebox'
import { invalidRequest, Problem } from '../base/problem.ts'
import { refusals } from '../base/refusals.ts'
import type { Rule } from '../base/rules.ts'
import type { KeptEvents } from './events.sql.ts'

/** The query parameters of a list in the order of sequence numbers, which may be read in both directions and waited for. */
export const positionQuery = {
  after: Type.Optional(
    Type.Union([Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER, default: 0 }), Type.Enum(['latest'])], {
      description:
        'Only entries with a higher sequence number; `latest` for those after this call. The Link header then leads on from there, even from an empty page',
    }),
  ),
  before: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: Number.MAX_SAFE_INTEGER,
      description: 'Only entries with a lower sequence number',
    }),
  ),
  sort: Type.Optional(
    Type.Enum(['sequence', '-sequence'], {
      default: 'sequence',
      description: '`sequence` for oldest first, `-sequence` for newest first',
    }),
  ),
  limit: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 1000, default: 100, description: 'Maximum number of entries to return' }),
  ),
  wait: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: 30,
      default: 0,
      description:
        'Long poll: seconds to wait for an entry if there is none yet. Only with oldest first and without `before`',
    }),
  ),
}

export const positionRule: Rule = { rule: 'position', members: ['after', 'before', 'sort', 'wait'] }

export interface PositionQuery {
  after?: number | 'latest'
  before?: number
  sort?: 'sequence' | '-sequence'
  limit?: number
  wait?: number
}

/** Refuses combinations that have no meaning. */
export function requirePosition({ after, before, sort, wait = 0 }: PositionQuery): void {
  const descending = sort === '-sequence'
  const refuse = (parameter: string, message: string) => {
    throw invalidRequest([{ parameter, code: 'conflict', message }])
  }
  if (wait > 0 && descending) refuse('wait', 'wait takes sort=sequence: new entries come last')
  if (wait > 0 && before !== undefined) refuse('wait', 'wait takes no before: new entries come after it')
  if (after === 'latest' && descending) refuse('after', 'after=latest takes sort=sequence: it reads forward only')
  if (after === 'latest' && before !== undefined) refuse('after', 'after=latest takes no before: nothing lies between')
}

/**
 * Refuses a position in the feed whose next events are gone: silence would lose them. Position 0 is no position but the
 * beginning, wherever that is. `historyStart` reads the number after which the events since the last restore begin.
 */
export async function requireKept(
  position: number,
  { after, head }: KeptEvents,
  historyStart: () => Promise<number>,
): Promise<void> {
  if (position > head) throw gone('events_rewound', Math.max(after, Math.min(head, await historyStart())))
  if (position > 0 && position < after) throw gone('events_expired', after)
}

/** The number is in the detail, too: programs that show nothing else have it. */
function gone(code: 'events_rewound' | 'events_expired', resumeAfter: number): Problem {
  const detail = refusals[code].detail.replace('after set to resumeAfter', `after=${resumeAfter}`)
  return new Problem(code, { detail, resumeAfter })
}
