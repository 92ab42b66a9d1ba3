import type { ReturnRate, ReturnRates } from '../../../../client/src/index.ts'
import { State } from '../../../components/display/state.tsx'
import { Reading } from '../../../components/feedback/empty.tsx'
import { ProblemNote } from '../../../components/feedback/problem.tsx'
import { Unavailable } from '../../../components/feedback/unavailable.tsx'
import { Card } from '../../../components/layout/card.tsx'
import { type Column, Table } from '../../../components/lists/table.tsx'
import { count, counted, date, words } from '../../../data/format.ts'
import { useCall, useMay } from '../../../data/purser.tsx'
import { RailsHead } from './lists.tsx'

/** How many debits of 60 days were returned, of the organisation and of its companies. */
export function ReturnRatesScreen() {
  const may = useMay('getReturnRates')
  const { data, error } = useCall('getReturnRates', {}, { enabled: may })
  return (
    <>
      <RailsHead />
      {!may ? (
        <Unavailable
          title="Return rates"
          scope="banking:read"
          absent="Only the built-in bank counts returned debits."
        />
      ) : (
        <>
          <ProblemNote error={error} />
          {data ? <AllRates of={data} /> : !error && <Reading lines={5} />}
        </>
      )}
    </>
  )
}

function AllRates({ of: { since, until, debits, rates, companies } }: { of: ReturnRates }) {
  return (
    <>
      <Rates title="All debits" debits={debits} rates={rates} during={`${date(since)} to ${date(until)}`} />
      {companies.map((company) => (
        <Rates key={company.companyId} title={`${company.companyName} ${company.companyId}`} {...company} />
      ))}
    </>
  )
}

const percent = (hundredths: number | null) => (hundredths === null ? '–' : `${hundredths / 100} %`)

const columns: Column<ReturnRate>[] = [
  { head: 'Returned as', cell: ({ kind }) => words(kind) },
  { head: 'Returns', cell: ({ returns }) => count(returns), number: true, wide: true },
  { head: 'Rate', cell: ({ rate }) => percent(rate), number: true },
  { head: 'Limit', cell: ({ limit }) => percent(limit), number: true },
  { head: 'Debits stop at', cell: ({ stopAt }) => percent(stopAt), number: true, wide: true },
  { head: 'State', cell: ({ status }) => <State of={status} /> },
]

interface Props {
  title: string
  debits: number
  rates: ReturnRate[]
  during?: string
}

function Rates({ title, debits, rates, during }: Props) {
  const few = debits < 50 && 'too few for a warning'
  const aside = [counted(debits, 'debit'), few, during].filter(Boolean).join(', ')
  return (
    <Card title={title} aside={<span>{aside}</span>} flush>
      <Table label={`Return rates: ${title}`} rows={rates} columns={columns} keyOf={({ kind }) => kind} />
    </Card>
  )
}
