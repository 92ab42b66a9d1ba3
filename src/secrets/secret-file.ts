import { randomBytes, randomUUID } from 'node:crypto'
import { link, open, readFile, rename, rm } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { makeFolder } from '../base/make-folder.ts'
import { StartupError } from '../base/startup-error.ts'

export interface Secret {
  /** The name of its file. */
  name: string
  make(): string
  /** The form of a whole secret: a disk that ran full can leave an empty or short file behind. */
  form: RegExp
}

/** Reads a secret from its file in the data folder; creates it first if there is none, readable to its owner alone. */
export async function secretFile(folder: string, { name, make, form }: Secret): Promise<string> {
  const path = join(folder, name)
  makeFolder(resolve(folder), 0o777)
  const stored = (await read(path)) ?? (await create(folder, path, make()))
  if (!form.test(stored)) {
    throw new StartupError(
      `${path} is not whole: restore it from a backup, or delete it if nothing was stored with it yet`,
    )
  }
  return stored
}

const ENCRYPTION_KEY: Secret = {
  name: 'encryption-key',
  make: () => randomBytes(32).toString('base64'),
  form: /^[A-Za-z0-9+/]{43}=$/,
}

/** The operator's key in the data folder. */
export async function storedEncryptionKey(folder: string): Promise<Buffer> {
  return Buffer.from(await secretFile(folder, ENCRYPTION_KEY), 'base64')
}

/** The key in the data folder; undefined if there is none. */
export async function foundEncryptionKey(folder: string): Promise<Buffer | undefined> {
  const text = await read(join(folder, ENCRYPTION_KEY.name))
  return text === undefined ? undefined : Buffer.from(text, 'base64')
}

/** Puts another key in the place of the operator's key in the data folder; at every moment the file holds one of them. */
export async function replaceEncryptionKey(folder: string, key: Buffer): Promise<void> {
  const path = join(folder, ENCRYPTION_KEY.name)
  const draft = `${path}.${randomUUID()}`
  try {
    await writeDurably(draft, `${key.toString('base64')}\n`)
    await rename(draft, path)
    await syncFolder(folder)
  } finally {
    await rm(draft, { force: true })
  }
}

async function read(path: string): Promise<string | undefined> {
  try {
    return (await readFile(path, 'utf8')).trim()
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
    return undefined
  }
}

/**
 * Writes the secret aside and links it to its name once it is on disk, so that the name never shows a part of it. Of two
 * first starts at once one link succeeds, and both processes read that one.
 */
async function create(folder: string, path: string, secret: string): Promise<string> {
  const draft = `${path}.${randomUUID()}`
  try {
    await writeDurably(draft, `${secret}\n`)
    await link(draft, path)
    await syncFolder(folder)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  } finally {
    await rm(draft, { force: true })
  }
  return (await readFile(path, 'utf8')).trim()
}

async function writeDurably(path: string, text: string): Promise<void> {
  const file = await open(path, 'wx', 0o600)
  try {
    await file.writeFile(text)
    await file.sync()
  } finally {
    await file.close()
  }
}

/** Makes the file's name durable too. */
async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

/** The key that seals the keys of organisations, made once if none is set, and during a change of it the next one. */
export async function encryptionKeysOf({
  encryptionKey: key,
  newEncryptionKey: next,
  dataDir,
}: {
  encryptionKey: Buffer | undefined
  newEncryptionKey: Buffer | undefined
  dataDir: string
}): Promise<Buffer[]> {
  return [key ?? (await storedEncryptionKey(dataDir)), ...(next ? [next] : [])]
}
