import type { Database } from '../../database/database.ts'
import type { SamePerson } from '../../review/review-application.ts'
import type { Seal } from '../../secrets/seal.ts'
import type { Seals } from '../../secrets/seals.ts'
import { listSamePeople, listUndigested, storeDigests } from './same-people.sql.ts'

/** The digest by which equal social security numbers of an organisation are found. Its key outlives changes of the encryption key. */
export function ssnDigest(seal: Seal, ssn: string): Buffer {
  return seal.digest(`ssn ${ssn}`)
}

/** The records that have something in common with each of some applications, by the id of the application. */
export async function samePeopleOf(
  database: Database,
  organisationId: number,
  applicationIds: number[],
): Promise<Map<number, SamePerson[]>> {
  const found = new Map<number, SamePerson[]>(applicationIds.map((id) => [id, []]))
  if (applicationIds.length === 0) return found
  for (const { asked, ...person } of await listSamePeople(database, organisationId, applicationIds)) {
    found.get(asked)?.push(person)
  }
  return found
}

/** Applications whose digests are made at a time. */
const PORTION = 500

/** Makes digests of applications from before there were any. Returns whether all are made. */
export async function makeSsnDigests(database: Database, seals: Pick<Seals, 'of'>): Promise<boolean> {
  const rows = await listUndigested(database, PORTION)
  const made: { id: number; digest: Buffer }[] = []
  for (const { id, organisationId, sealedSsn } of rows) {
    const seal = await seals.of(organisationId)
    const ssn = seal.unseal(sealedSsn, { table: 'application', row: id, column: 'sealed_ssn' }).toString()
    made.push({ id, digest: ssnDigest(seal, ssn) })
  }
  if (made.length > 0) await storeDigests(database, made)
  return rows.length < PORTION
}
