import { idNumber } from '../../../base/ids.ts'
import type { Caller } from '../../../base/operation.ts'
import { type Page, pageWindow, toCursorPage } from '../../../base/page.ts'
import { Problem } from '../../../base/problem.ts'
import type { AchFile, AchFileDirection, SandboxAchFiles } from '../../../sandbox/ach-files/ach-file.ts'
import type { ListAchFilesQuery } from '../../../sandbox/ach-files/list-ach-files.ts'
import type { BankParts } from '../../parts/bank-parts.ts'
import { type FileRow, findContent, findFile, listFiles } from './sandbox-files.sql.ts'

/** The largest content that is sent, sealed. It is in memory as a whole, like every answer. */
const MAX_BYTES = 16 * 1024 * 1024

type Parts = Pick<BankParts, 'database' | 'seals'>

export function sandboxFilesOf(bank: Parts): SandboxAchFiles {
  return {
    listAchFiles: (caller, query) => listAchFiles(bank, caller, query),
    getAchFile: (caller, id) => getAchFile(bank, caller, id),
    getAchFileContent: (caller, id) => getAchFileContent(bank, caller, id),
  }
}

const stored: Record<AchFileDirection, FileRow['direction']> = { Outgoing: 'out', Incoming: 'in' }

async function listAchFiles(
  { database }: Parts,
  { organisationId }: Caller,
  query: ListAchFilesQuery,
): Promise<Page<AchFile>> {
  const page = pageWindow(query)
  const filter = {
    ...query,
    organisationId,
    directions: query.direction?.map((direction) => stored[direction]),
    states: query.status?.map((status) => status.toLowerCase()),
  }
  return toCursorPage(await listFiles(database, filter, page), page.limit, achFile)
}

async function getAchFile({ database }: Parts, { organisationId }: Caller, achFileId: string): Promise<AchFile> {
  const file = await findFile(database, organisationId, idNumber(achFileId))
  if (!file) throw new Problem('ach_file_not_found')
  return achFile(file)
}

function achFile({ id, direction, state, name, createdAt, ...file }: FileRow): AchFile {
  const { entryCount, credits, debits, sha256, deliveredAt } = file
  return {
    id: String(id),
    direction: direction === 'out' ? 'Outgoing' : 'Incoming',
    status: state.charAt(0).toUpperCase() + state.slice(1),
    ...{ name, createdAt, entryCount, credits, debits },
    ...(sha256 !== null && { sha256: sha256.toString('hex') }),
    ...(deliveredAt !== null && { deliveredAt }),
  }
}

async function getAchFileContent(
  { database, seals }: Parts,
  { organisationId }: Caller,
  achFileId: string,
): Promise<Buffer> {
  const file = await findContent(database, { organisationId, id: idNumber(achFileId), maxBytes: MAX_BYTES })
  if (!file) throw new Problem('ach_file_not_found')
  const { id, keyOrganisationId, sealedContent } = file
  if (sealedContent === null) throw new Problem('ach_file_without_content')
  const seal = await seals.of(keyOrganisationId)
  return seal.unseal(sealedContent, { table: 'ach_file', row: id, column: 'sealed_content' })
}
