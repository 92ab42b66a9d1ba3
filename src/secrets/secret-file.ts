import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

/** A secret kept in the data folder, readable to its owner alone; made once, when it is not there yet. */
export async function secretFile(folder: string, name: string, make: () => string): Promise<string> {
  const path = join(folder, name)
  await mkdir(folder, { recursive: true })
  try {
    // The exclusive flag settles a race of two first starts: one writes, both read.
    await writeFile(path, `${make()}\n`, { mode: 0o600, flag: 'wx' })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  }
  return (await readFile(path, 'utf8')).trim()
}
