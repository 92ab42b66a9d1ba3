import { organisationTables } from '../../bank/organisations/sweep.ts'

/**
 * Tables that are copied when the organisation switches, because the service acts upon their rows as soon as it sees them.
 * They are small, and some name the organisation by another record only, which replication cannot filter by.
 */
const atSwitch: Record<string, string> = {
  api_key: 'organisation_id = $1',
  api_key_retired: 'api_key_id in (select id from api_key where organisation_id = $1)',
  webhook_endpoint: 'organisation_id = $1',
  webhook_cursor: 'endpoint_id in (select id from webhook_endpoint where organisation_id = $1)',
  webhook_outcome_hour: 'endpoint_id in (select id from webhook_endpoint where organisation_id = $1)',
  fault_rule: 'organisation_id = $1',
}

/** The deliveries have no index by the organisation. */
const byEndpoint: Record<string, string> = { webhook_delivery: atSwitch.webhook_cursor ?? '' }

/** A table with rows of organisations: how they are found, and whether they are copied at the switch. */
export interface MovedTable {
  name: string
  /** A condition with the id as `$1`. */
  rows: string
  atSwitch: boolean
  /** Whether the rows name the organisation themselves. */
  named: boolean
}

/** All tables whose rows move, a table before those that refer to it. The row of the organisation itself is apart. */
export const movedTables: MovedTable[] = [...organisationTables].reverse().map((name) => {
  const rows = atSwitch[name] ?? byEndpoint[name] ?? 'organisation_id = $1'
  return { name, rows, atSwitch: name in atSwitch, named: rows === 'organisation_id = $1' || name in byEndpoint }
})

export const replicatedTables = movedTables.filter((table) => !table.atSwitch)
export const switchedTables = movedTables.filter((table) => table.atSwitch)
