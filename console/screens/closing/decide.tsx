import { useState } from 'react'
import type { SettlementItem } from '../../../client/src/index.ts'
import { Reading } from '../../components/feedback/empty.tsx'
import { SendForm } from '../../components/forms/actions.tsx'
import { Checks } from '../../components/forms/checks.tsx'
import form from '../../components/forms/form.module.css'
import type { Field } from '../../components/forms/form.tsx'
import { DialogButton } from '../../components/layout/dialog.tsx'
import { centsOf, date, money, sentence } from '../../data/format.ts'
import { useList } from '../../data/list.ts'
import styles from './closing.module.css'

type Kind = 'book' | 'match' | 'split' | 'note' | 'direct' | 'unmatch'

const names: Record<Kind, string> = {
  book: 'Book it',
  match: 'Match it with other items',
  split: 'Split it into parts',
  note: 'Leave it open, with an owner',
  direct: 'Say which way the money went',
  unmatch: 'End the match',
}

/** The decisions that an item allows. */
function kindsOf({ match, amount }: SettlementItem): readonly Kind[] {
  if (match !== null) return ['unmatch']
  return amount === null ? ['direct', 'note'] : ['book', 'match', 'split', 'note']
}

/** A button that decides about an item, with a reason. */
export function Decide({ item }: { item: SettlementItem }) {
  return (
    <DialogButton label={item.match === null ? 'Decide…' : 'Unmatch…'} title="Decide about an item" wide>
      {(close) => <Decision item={item} close={close} />}
    </DialogButton>
  )
}

function Decision({ item, close }: { item: SettlementItem; close(): void }) {
  const kinds = kindsOf(item)
  const [kind, choose] = useState<Kind>(kinds[0] ?? 'note')
  const { id, description, day, amount, hint } = item
  return (
    <div className={form.form}>
      <div className={styles.about}>
        {sentence(description)}, {date(day)}, {amount === null ? 'direction not known' : <b>{money(amount)}</b>}
        {hint && <span className="muted"> ({sentence(hint)})</span>}
      </div>
      {kinds.length > 1 && (
        <div className={form.field}>
          <label htmlFor={`decision-${id}`}>Decision</label>
          <select id={`decision-${id}`} value={kind} onChange={(event) => choose(event.target.value as Kind)}>
            {kinds.map((each) => (
              <option key={each} value={each}>
                {names[each]}
              </option>
            ))}
          </select>
        </div>
      )}
      {kind === 'match' ? (
        <MatchForm item={item} close={close} />
      ) : (
        <SendForm
          key={kind}
          operation="decideSettlementItem"
          submit={names[kind]}
          fields={[...(kind === 'book' ? [accountFor(item)] : fields[kind]), reason]}
          input={(values) => inputOf(item, kind, values)}
          done={close}
        />
      )}
    </div>
  )
}

/** The account that an item is booked to, which the person chooses. */
function accountFor({ side }: SettlementItem): Field {
  return {
    ...{ name: 'to', label: 'To the account', options: accounts },
    hint:
      side === 'statement'
        ? 'The ledger books this line today, against this account'
        : 'The ledger takes this movement back today, against this account',
  }
}

const accounts = [
  { value: '', label: 'Choose…' },
  { value: 'fees', label: 'Fees of the bank' },
  { value: 'funding', label: 'Money of the program' },
  { value: 'suspense', label: 'Suspense, to be cleared up' },
  { value: 'write-off', label: 'Write-off' },
]

const reason: Field = { name: 'reason', label: 'Reason', hint: 'It stays with the item' }
const fields: Record<Exclude<Kind, 'match' | 'book'>, readonly Field[]> = {
  split: [{ name: 'amounts', label: 'Amounts of the parts', kind: 'lines', hint: 'One a line, such as 985.00' }],
  note: [{ name: 'owner', label: 'Owner', hint: 'The person who answers for it' }],
  direct: [
    {
      ...{ name: 'direction', label: 'Direction' },
      options: [
        { value: 'credit', label: 'Money came' },
        { value: 'debit', label: 'Money left' },
      ],
    },
  ],
  unmatch: [],
}

/** Amounts of parts are typed without a sign, and have that of the item. */
function inputOf({ id, amount }: SettlementItem, decision: Kind, { amounts, ...values }: Record<string, unknown>) {
  const sign = (amount ?? 0) < 0 ? -1 : 1
  const parts = Array.isArray(amounts) && { amounts: amounts.map((each) => sign * (centsOf(each) ?? 0)) }
  return { params: { settlementItemId: id }, body: { decision, ...parts, ...values } }
}

function MatchForm({ item, close }: { item: SettlementItem; close(): void }) {
  const { rows, isPending } = useList('listSettlementItems', { query: { limit: 1000 } })
  const [chosen, set] = useState<string[]>([])
  if (isPending) return <Reading />
  const others = rows.filter(({ id, amount }) => id !== item.id && amount !== null)
  if (others.length === 0) return <p>There is no other open item.</p>
  const labels = new Map(others.map((each) => [labelOf(each), each]))
  const picked = chosen.flatMap((each) => labels.get(each) ?? [])
  const sum = (side: SettlementItem['side']) =>
    [item, ...picked].reduce((total, each) => total + (each.side === side ? (each.amount ?? 0) : 0), 0)
  const difference = sum('statement') - sum('ledger')
  return (
    <SendForm
      operation="decideSettlementItem"
      submit={names.match}
      fields={[reason]}
      ready={picked.length > 0 && difference === 0}
      input={({ reason: said }) => ({
        params: { settlementItemId: item.id },
        body: { decision: 'match', with: picked.map(({ id }) => id), reason: said },
      })}
      done={close}
    >
      <Checks legend="Other items" options={[...labels.keys()]} chosen={chosen} set={set} />
      <p>
        Statement {money(sum('statement'))}, ledger {money(sum('ledger'))}, difference <b>{money(difference)}</b>
      </p>
    </SendForm>
  )
}

function labelOf({ id, side, day, amount, description }: SettlementItem): string {
  return `${side === 'statement' ? 'Statement' : 'Ledger'} ${date(day)}, ${money(amount ?? 0)}, ${sentence(description)} (${id})`
}
