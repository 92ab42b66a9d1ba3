import { execFileSync } from 'node:child_process'
import { chownSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { EmbeddedServer } from '../../../src/database/embedded/embedded.ts'
import { connect } from '../service.ts'

/** Copies the files of a running server as a base backup; the log comes from the archive alone. */
export async function backUp(server: EmbeddedServer, target: string): Promise<void> {
  const session = await connect(server.connection)
  await session.query(`select pg_backup_start('base', fast => true)`)
  execFileSync('cp', ['-a', server.dataDir, target])
  const { rows } = await session.query<{ label: string }>('select labelfile as label from pg_backup_stop()')
  await session.end()
  for (const name of ['postmaster.pid', 'postmaster.opts']) rmSync(join(target, name), { force: true })
  for (const name of readdirSync(join(target, 'pg_wal'))) {
    if (/^[0-9A-F]{24}/.test(name)) rmSync(join(target, 'pg_wal', name))
  }
  writeOwned(target, 'backup_label', rows[0]?.label ?? '')
}

/** Writes a file that belongs to the user of the server. */
export function writeOwned(cluster: string, name: string, text: string): void {
  const { uid, gid } = statSync(join(cluster, 'PG_VERSION'))
  writeFileSync(join(cluster, name), text)
  chownSync(join(cluster, name), uid, gid)
}
