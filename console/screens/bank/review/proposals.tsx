import { Link } from 'wouter'
import type { LookedUp, Proposal, Signer } from '../../../../client/src/index.ts'
import { State } from '../../../components/display/state.tsx'
import { Time } from '../../../components/display/time.tsx'
import { Reason } from '../../../components/feedback/reason.tsx'
import { Card } from '../../../components/layout/card.tsx'
import { Details, mono } from '../../../components/layout/details.tsx'
import { defineList, ListScreen } from '../../../components/lists/list-screen.tsx'
import { NamedLink } from '../../../components/records/record-link.tsx'
import { recordScreen } from '../../../components/records/record-page.tsx'
import { money, sentence, words } from '../../../data/format.ts'
import { useList } from '../../../data/list.ts'
import { useMembers } from '../../../data/people/members.ts'
import { useCall, useSession } from '../../../data/purser.tsx'
import { ReviewHead } from './queues.tsx'

const decisions: Record<string, string> = {
  paymentApproval: 'Approve a payment',
  limits: 'Change the limits of an account',
  holdRelease: 'Release a legal hold',
  writeOff: 'Book an open item',
  personalExport: 'Export personal data',
  personRights: 'Give a person rights',
  railResume: 'Resume ACH after a restore',
}

/** The use of an approved permit. */
const uses: Record<string, string> = {
  personalExport: 'The proposer can export the list for a day.',
  personRights: 'The proposer can give the role, or make a new link, for a day.',
  railResume: 'purser ach resume works with these decisions for a day.',
}

const decisionOf = ({ decision }: Proposal) => decisions[decision] ?? words(decision)

function signerOf({ type, name }: Signer): string {
  return type === 'person' ? (name ?? 'A person') : name ? `the key “${name}”` : 'an API key'
}

const proposals = defineList({
  title: 'Decisions that need a second signature',
  operation: 'listProposals',
  type: 'proposal',
  scope: 'review:write',
  absent: 'Only the built-in bank has reviews.',
  filters: [
    {
      name: 'state',
      label: 'State',
      options: ['Waiting', 'Executed', 'Failed', 'Rejected', 'Withdrawn', 'Expired'],
    },
  ],
  views: [{ name: 'Waiting', values: { state: 'Waiting' } }],
  columns: [
    { head: 'Decision', cell: decisionOf, card: 'who' },
    { head: 'Proposed by', cell: ({ proposedBy }) => sentence(signerOf(proposedBy)), card: 'note' },
    { head: 'Reason', cell: ({ reason }) => reason, wide: 'widest' },
    { head: 'Created', cell: ({ createdAt }) => <Time of={createdAt} />, number: true, wide: true, card: 'when' },
    {
      head: 'Expires',
      cell: ({ state, expiresAt }) => state === 'Waiting' && <Time of={expiresAt} />,
      number: true,
      wide: true,
    },
    { head: 'State', cell: ({ state }) => <State of={state} /> },
    { head: 'Decided by', cell: ({ decidedBy }) => decidedBy && sentence(signerOf(decidedBy)), wide: 'widest' },
    { head: 'Amount', cell: ({ amount }) => amount !== null && money(amount), number: true },
  ],
  none: [
    'No decision needs a second signature',
    <>
      <code>PURSER_TWO_SIGNATURES</code> names decisions that wait here until another person signs.
    </>,
  ],
})

/** Decisions that wait for a second person, and what became of others, newest first. */
export const Proposals = () => <ListScreen of={proposals} head={<ReviewHead />} />

type Found = Extract<LookedUp, { type: 'proposal' }>

const allows = ({ actions }: Found, id: string) => actions.some(({ operation, allowed }) => operation === id && allowed)

/** One decision that needs a second person: what changes, who proposed it and who decided. */
export const ProposalScreen = recordScreen('proposal', (found) => {
  const { id, record } = found
  const { state, amount, proposedBy, reason, expiresAt, decidedBy, decisionReason, decidedAt } = record
  const isOwn = allows(found, 'withdrawProposal')
  const possible = (['approveProposal', 'rejectProposal'] as const).filter((each) => allows(found, each))
  return {
    name: `Proposal ${id}`,
    title: decisionOf(record),
    beside: (
      <>
        {amount !== null && <b>{money(amount)}</b>} proposed by <b>{signerOf(proposedBy)}</b>
      </>
    ),
    state,
    order: isOwn ? ['withdrawProposal'] : possible,
    first: <Standing of={record} isOwn={isOwn} maySign={possible.includes('approveProposal')} />,
    main: <Change of={record} />,
    details: {
      'Proposed by': sentence(signerOf(proposedBy)),
      Reason: reason,
      Expires: state === 'Waiting' && <Time of={expiresAt} />,
      'Decided by': decidedBy && sentence(signerOf(decidedBy)),
      'Reason of the decision': decisionReason,
      Decided: decidedAt && <Time of={decidedAt} />,
      Operation: mono(record.operation),
    },
    without: ['payment', 'account', 'accountHold'],
  }
})

interface StandingProps {
  of: Proposal
  /** Whether the reader proposed it and it still waits. */
  isOwn: boolean
  maySign: boolean
}

/** The outcome of a proposal, or the signature that it waits for. */
function Standing({ of: proposal, isOwn, maySign }: StandingProps) {
  const { state, decision, proposedBy, decidedBy, decisionReason, problem } = proposal
  const { person } = useSession().me
  const by = decidedBy ? signerOf(decidedBy) : 'nobody'
  const reason = decisionReason ? `: ${decisionReason}` : ''
  if (state === 'Waiting') {
    return (
      <Reason tone="warn" title="Waits for a second signature">
        Nothing has changed yet.{' '}
        {isOwn
          ? 'You proposed it, so another person has to sign, whatever your session or role.'
          : maySign
            ? 'You can be the second signature: if you approve, the change takes effect at once, in your name.'
            : person
              ? `You cannot be the second signature: ${
                  proposedBy.type === 'person'
                    ? 'one of you and the proposer invited the other.'
                    : 'you made or rotated the key, or a person did whom you invited or who invited you.'
                }`
              : 'An API key is no person and cannot be the second signature: sign in as a person to approve.'}
      </Reason>
    )
  }
  if (state === 'Approved') return <Reason tone="warn" title={`Approved by ${by}${reason}. The change is under way`} />
  if (state === 'Executed') {
    return (
      <Reason tone="good" title={`Approved by ${by}${reason}`}>
        {uses[decision]}
      </Reason>
    )
  }
  if (state === 'Failed') {
    return (
      <Reason
        tone="bad"
        title={`Approved by ${by}, but no longer possible: ${words(problem?.code ?? '').toLowerCase()}`}
        next="The record has changed since. Propose the change again if it is still wanted."
      >
        Nothing was changed.
      </Reason>
    )
  }
  if (state === 'Rejected') return <Reason tone="bad" title={`Rejected by ${by}${reason}`} />
  if (state === 'Withdrawn') return <Reason tone="warn" title={`Withdrawn by ${signerOf(proposedBy)}`} />
  return (
    <Reason tone="bad" title="Expired: nobody decided in time" next="Propose the change again if it is still wanted.">
      Nothing was changed.
    </Reason>
  )
}

/** The record that the decision changes, and the input of its operation. */
function Change({ of: proposal }: { of: Proposal }) {
  const { decision, recordId, params, body } = proposal
  return (
    <Card title="The decision">
      {decision === 'limits' && <LimitsChange of={proposal} />}
      {decision === 'paymentApproval' && <Details of={{ Payment: <NamedLink type="payment" id={recordId} /> }} />}
      {decision === 'holdRelease' && <Details of={{ Hold: <NamedLink type="accountHold" id={recordId} /> }} />}
      {decision === 'writeOff' && (
        <Details of={{ Item: <Item id={recordId} />, 'To the account': words(String(body.to)) }} />
      )}
      {decision === 'personRights' && <Rights id={params.personId ?? ''} role={String(body.role)} />}
      {decision === 'personalExport' && <Details of={{ List: words(params.list ?? '') }} />}
      {decision === 'railResume' && (
        <Details of={{ Files: [body.decisions].flat().join(', '), Digest: mono(String(body.digest)) }} />
      )}
    </Card>
  )
}

/** The role that a person would have, and the one of now. */
function Rights({ id, role }: { id: string; role: string }) {
  const { data } = useMembers()
  const person = data?.find((each) => each.id === id)
  const name = person ? <Link href={`/access/people/${id}`}>{person.name}</Link> : id
  return <Details of={{ Person: name, Role: mono(role), 'Role now': person && mono(person.role) }} />
}

/** An item of the settlement account, which is in the list while it is open. */
function Item({ id }: { id: string }) {
  const { rows } = useList('listSettlementItems', { query: { limit: 1000 } })
  const item = rows.find((each) => each.id === id)
  return item ? `${sentence(item.description)}, ${money(item.amount ?? 0)}` : id
}

const names: Record<string, string> = {
  payment: 'One payment',
  day: 'Payments of a day',
  month: 'Payments of a month',
  soft: 'review above',
  hard: 'refuse above',
}
/** Members of limits that are no amounts. */
const counts = new Set(['dayCount', 'clearingDays'])

/** The limits in an answer or an input with the names of their places: `One payment, review above`. */
function limitsIn(limits: object, place: readonly string[] = []): [name: string, value: string][] {
  return Object.entries(limits).flatMap(([name, value]) => {
    if (value === null || value === undefined || name === 'id' || name === 'used') return []
    const path = [...place, names[name] ?? words(name)]
    if (typeof value === 'object') return limitsIn(value, path)
    const isAmount = typeof value === 'number' && !counts.has(name)
    return [
      [
        sentence(path.join(', ').toLowerCase()),
        isAmount ? money(value) : typeof value === 'boolean' ? (value ? 'Yes' : 'No') : String(value),
      ],
    ]
  })
}

/** All limits that the account would have, and while it waits also those of now. */
function LimitsChange({ of: { state, body, recordId } }: { of: Proposal }) {
  const { data } = useCall('getAccountLimits', { params: { accountId: recordId } }, { enabled: state === 'Waiting' })
  const now = new Map(state === 'Waiting' && data ? limitsIn(data) : [])
  const proposed = new Map(limitsIn(body))
  const rows = [...new Set([...proposed.keys(), ...now.keys()])].map((name) => {
    const [before, after] = [now.get(name), proposed.get(name) ?? 'None']
    if (!data || before === after) return [name, after]
    return [
      name,
      <>
        <b>{after}</b>, now {before ?? 'none'}
      </>,
    ]
  })
  return <Details of={{ Account: <NamedLink type="account" id={recordId} />, ...Object.fromEntries(rows) }} />
}
