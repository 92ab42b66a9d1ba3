import { createHash } from 'node:crypto'
import { createReadStream, createWriteStream, readFileSync, statSync } from 'node:fs'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { ReadableStream as WebStream } from 'node:stream/web'
import { createGunzip, createGzip } from 'node:zlib'
import { Decrypter, Encrypter, generateX25519Identity, identityToRecipient } from 'age-encryption'
import { UsageError } from '../../../ground/failure.ts'
import { messageOf } from '../../base/message-of.ts'
import { StartupError } from '../../base/startup-error.ts'

/** The library is typed for browsers. Its streams are those of Node. */
const toWeb = (stream: Readable) => Readable.toWeb(stream) as unknown as ReadableStream<Uint8Array>
const fromWeb = (stream: ReadableStream<Uint8Array>) => Readable.fromWeb(stream as unknown as WebStream)

/** Encrypts for every recipient. */
export function encrypterFor(recipients: string[]): Encrypter {
  const encrypter = new Encrypter()
  for (const recipient of recipients) {
    try {
      encrypter.addRecipient(recipient)
    } catch (error) {
      throw new UsageError(`--recipient ${recipient} is no recipient of age: ${messageOf(error)}`)
    }
  }
  return encrypter
}

/** Writes texts to a new file that only its owner may read, compressed and encrypted. Returns its size and hash. */
export async function writeEncrypted(
  path: string,
  encrypter: Encrypter,
  texts: AsyncIterable<string>,
): Promise<{ bytes: number; sha256: string }> {
  const gzip = createGzip()
  const fed = pipeline(Readable.from(texts), gzip)
  // It is awaited below. A failure that comes before ends the other stream as well.
  fed.catch(() => undefined)
  const encrypted = fromWeb(await encrypter.encrypt(toWeb(gzip)))
  const hash = createHash('sha256')
  let bytes = 0
  const written = pipeline(
    encrypted,
    async function* (chunks: AsyncIterable<Uint8Array>) {
      for await (const chunk of chunks) {
        hash.update(chunk)
        bytes += chunk.length
        yield chunk
      }
    },
    createWriteStream(path, { mode: 0o600, flush: true }),
  )
  await Promise.all([fed, written])
  return { bytes, sha256: hash.digest('hex') }
}

/** The clear content of an encrypted file. Its header is read at once, the rest as it is asked for. */
export async function readEncrypted(path: string, identities: string[]): Promise<AsyncIterable<Buffer>> {
  const decrypter = new Decrypter()
  for (const identity of identities) decrypter.addIdentity(identity)
  const file = createReadStream(path)
  let clear: ReadableStream<Uint8Array>
  try {
    clear = await decrypter.decrypt(toWeb(file))
  } catch (error) {
    file.destroy()
    throw new StartupError(`${path} cannot be opened with this identity: ${messageOf(error)}`)
  }
  return unpacked(path, fromWeb(clear))
}

async function* unpacked(path: string, packed: Readable): AsyncGenerator<Buffer> {
  const gunzip = createGunzip()
  const fed = pipeline(packed, gunzip)
  fed.catch(() => undefined)
  try {
    for await (const chunk of gunzip) yield chunk as Buffer
  } catch (error) {
    throw new StartupError(`${path} was changed, or is not whole: ${messageOf(error)}`)
  } finally {
    packed.destroy()
    gunzip.destroy()
  }
}

const LARGEST_IDENTITY_FILE = 65_536

/** The identities in a file as age-keygen writes it: a line each, with comments. */
export function identitiesIn(path: string): string[] {
  let text: string
  try {
    if (statSync(path).size > LARGEST_IDENTITY_FILE) throw new Error('it is too large')
    text = readFileSync(path, 'utf8')
  } catch (error) {
    throw new UsageError(`the identity ${path} cannot be read: ${messageOf(error)}`)
  }
  const lines = text.split('\n').map((line) => line.trim())
  const identities = lines.filter((line) => line !== '' && !line.startsWith('#'))
  const checked = new Decrypter()
  try {
    if (identities.length === 0) throw new Error('it has none')
    for (const identity of identities) checked.addIdentity(identity)
  } catch {
    // The message of the library could quote the secret.
    throw new UsageError(`${path} holds no identity of age, such as AGE-SECRET-KEY-1…`)
  }
  return identities
}

/** A new secret. */
export function newIdentity(): Promise<string> {
  return generateX25519Identity()
}

/** The public half of a secret. */
export function recipientOf(identity: string): Promise<string> {
  return identityToRecipient(identity)
}
