import { randomBytes } from 'node:crypto'
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { StartupError } from '../base/startup-error.ts'
import { type Secret, secretFile } from './secret-file.ts'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'purser-secrets-'))
})
afterEach(() => rm(folder, { recursive: true }))

const secret: Secret = { name: 'key', make: () => randomBytes(16).toString('hex'), form: /^[0-9a-f]{32}$/ }
const path = () => join(folder, 'key')

describe('a secret file', () => {
  test('is made once, for its owner alone, and leaves no draft behind', async () => {
    const made = await secretFile(folder, secret)
    expect(made).toMatch(secret.form)
    expect(await readFile(path(), 'utf8')).toBe(`${made}\n`)
    expect((await stat(path())).mode & 0o777).toBe(0o600)
    expect(await secretFile(folder, secret)).toBe(made)
    expect(await readdir(folder)).toEqual(['key'])
  })

  test('is the same for all processes that start at once', async () => {
    const nested = join(folder, 'not', 'there', 'yet')
    const all = await Promise.all(Array.from({ length: 20 }, () => secretFile(nested, secret)))
    expect(new Set(all).size).toBe(1)
    expect(await readdir(nested)).toEqual(['key'])
  })

  test.each([
    ['empty', ''],
    ['blank', '\n'],
    ['cut short', 'a'.repeat(31)],
    ['of another kind', `${'a'.repeat(31)}z\n`],
  ])('that is %s is refused by name and left as it is', async (_kind, content) => {
    await writeFile(path(), content)
    const refusal = secretFile(folder, secret)
    await expect(refusal).rejects.toThrow(StartupError)
    await expect(refusal).rejects.toThrow(`${path()} is not whole: restore it from a backup`)
    expect(await readFile(path(), 'utf8')).toBe(content)
  })

  test('that cannot be written leaves nothing behind', async () => {
    // The name fits, and the longer name of its draft does not.
    await expect(secretFile(folder, { ...secret, name: 'k'.repeat(240) })).rejects.toThrow('ENAMETOOLONG')
    expect(await readdir(folder)).toEqual([])
  })
})
