import type { NationalOffer } from '../../../client/src/index.ts'
import { Reading } from '../../components/feedback/empty.tsx'
import { ProblemNote } from '../../components/feedback/problem.tsx'
import { Unavailable } from '../../components/feedback/unavailable.tsx'
import { Card } from '../../components/layout/card.tsx'
import { mono } from '../../components/layout/details.tsx'
import { Filters, NothingMatches } from '../../components/lists/filters.tsx'
import { type Column, Table } from '../../components/lists/table.tsx'
import { useFilters } from '../../data/filters.ts'
import { date } from '../../data/format.ts'
import { useCall, useMay } from '../../data/purser.tsx'
import { OffersHead, offerFields, PAGE_SIZE } from './offers.tsx'

const columns: Column<NationalOffer>[] = [
  { head: 'Merchant', cell: ({ merchant }) => merchant.name },
  { head: 'Trade', cell: ({ merchant }) => merchant.description, wide: true },
  { head: 'Terms', cell: ({ terms }) => terms, wide: true },
  { head: 'Id', cell: ({ id }) => mono(id), wide: true },
  { head: 'Ends', cell: ({ expirationDate }) => date(expirationDate), number: true, wide: true },
  { head: 'Cash back', cell: ({ commission }) => `${commission}%`, number: true },
]

/** The offers of merchants online. */
export function NationalOffers() {
  const [filters, setFilters] = useFilters(['category', 'search', 'page'])
  const may = useMay('listNationalOffers')
  const { page: typed, ...shown } = filters
  const page = /^\d{1,6}$/.test(typed ?? '') ? Number(typed) : 0
  const query = { userId: '1', page, pageSize: PAGE_SIZE, ...shown }
  const { data, error } = useCall('listNationalOffers', { query }, { keep: true })
  const turn = (to: number) => setFilters({ ...shown, ...(to > 0 && { page: String(to) }) })
  return (
    <>
      <OffersHead />
      <Filters values={shown} set={setFilters} fields={offerFields} />
      {!may && <Unavailable title="National offers" scope="rewards:read" absent="This service has no offers." />}
      {may && (
        <Card title="National offers" flush bare>
          <ProblemNote error={error} />
          {!data && !error && <Reading lines={6} />}
          {data && data.nationalRewardOffers.length === 0 && (
            <NothingMatches fields={offerFields} values={shown} set={setFilters} />
          )}
          {data && data.nationalRewardOffers.length > 0 && (
            <Table label="National offers" rows={data.nationalRewardOffers} columns={columns} keyOf={({ id }) => id} />
          )}
        </Card>
      )}
      {data && (page > 0 || data.nextPage !== null) && (
        <div className="row" style={{ marginBottom: 16 }}>
          <button type="button" disabled={page === 0} onClick={() => turn(page - 1)}>
            Previous
          </button>
          <button type="button" disabled={data.nextPage === null} onClick={() => turn(page + 1)}>
            Next
          </button>
        </div>
      )}
    </>
  )
}
