import { useState } from 'react'
import { isProblem } from '../../../client/src/index.ts'
import { kebab, shellWord } from '../../../ground/text.ts'
import { useBankDay } from '../../data/bank-time.ts'
import { dayStart } from '../../data/format.ts'
import type { ListId } from '../../data/list.ts'
import { clientOf, useMay, useSession } from '../../data/purser.tsx'
import { saveFile } from '../../data/save-file.ts'
import { Copy } from '../display/copy.tsx'
import { ProblemNote } from '../feedback/problem.tsx'
import { SendForm } from '../forms/actions.tsx'
import { DialogButton } from '../layout/dialog.tsx'

interface Props {
  title: string
  operation: ListId
  input: object
  /** The number of the records, if it is known. */
  total: string | undefined
  /** Whether the list has a filter for times, and none is chosen. */
  anyTime: boolean
}

/** A million records may take this long on a slow line. */
const LONGEST_MS = 3_600_000

const types = { csv: 'text/csv', jsonl: 'application/x-ndjson' } as const

/** A button that saves the records of a list, with the same filters, as a file. */
export function Export(props: Props) {
  const may = useMay('exportList')
  if (!may) return null
  return (
    <DialogButton
      label={props.total ? `Export ${props.total}…` : 'Export…'}
      className="link"
      hotkey="e"
      title={`Export ${props.title.toLowerCase()}`}
    >
      {(close) => <Formats {...props} close={close} />}
    </DialogButton>
  )
}

/** The first instant of the month of a day. */
const monthStart = (day: string) => dayStart(`${day.slice(0, 7)}-01`)

function Formats({ operation, input, anyTime, close }: Props & { close(): void }) {
  const { apiKey } = useSession()
  const today = useBankDay()
  const [busy, setBusy] = useState(false)
  const [error, setError] = useState<unknown>()
  const list = kebab(operation).replace('list-', '')
  const { limit: _limit, count: _count, ...query } = (input as { query: Record<string, unknown> }).query
  const save = async (format: keyof typeof types, more: { since?: string } = {}) => {
    setBusy(true)
    setError(undefined)
    try {
      const parts = { params: { list }, query: { ...query, ...more, format } }
      const client = clientOf(apiKey, (file) => saveFile(file, `${list}.${format}`, types[format]))
      await client.call('exportList', parts, { timeoutMs: LONGEST_MS, retries: 0 })
      close()
    } catch (fault) {
      setError(fault)
      setBusy(false)
    }
  }
  const filters = Object.entries(query).flatMap(([name, value]) =>
    [value].flat().map((each) => ` -f ${shellWord(`${name}=${each}`)}`),
  )
  const command = `purser export ${list}${filters.join('')} --output ${list}.csv`
  return (
    <>
      <p className="muted">
        All records that match the filters, with all their members, up to a million. Amounts are in cents, times in UTC.
      </p>
      <div className="row">
        <button type="button" className="primary" disabled={busy} onClick={() => save('csv')}>
          {busy ? 'Reading…' : 'Save as CSV'}
        </button>
        {anyTime && today && (
          <button type="button" disabled={busy} onClick={() => save('csv', { since: monthStart(today) })}>
            Save this month as CSV
          </button>
        )}
        <button type="button" disabled={busy} onClick={() => save('jsonl')}>
          Save as JSON Lines
        </button>
      </div>
      <ProblemNote error={error} />
      {isProblem(error, 'second_person_required') && <Permit list={list} />}
      <pre>{command}</pre>
      <Copy text={command}>Copy the command</Copy>
    </>
  )
}

/** A form that proposes the export of a list with personal data. */
function Permit({ list }: { list: string }) {
  const may = useMay('permitExport')
  if (!may) return null
  return (
    <SendForm
      operation="permitExport"
      submit="Propose the export"
      fields={[{ name: 'reason', label: 'Reason', hint: 'The person who signs sees it' }]}
      input={(body) => ({ params: { list }, body })}
    />
  )
}
