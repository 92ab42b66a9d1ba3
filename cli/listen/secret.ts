import { randomBytes } from 'node:crypto'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'
import { Refusal, UsageError } from '../../ground/failure.ts'

const SECRET = /^whsec_[A-Za-z0-9+/]{22,}={0,2}$/
const SECRET_BYTES = 32

/** The secret that signs what is forwarded: the one that is given, or this user's own, which is made once and kept. */
export function listenSecret(given: string | undefined, environment: NodeJS.ProcessEnv): string {
  if (given !== undefined) {
    if (SECRET.test(given)) return given
    throw new UsageError('--secret takes a text that begins with whsec_ and goes on in Base64, of 16 bytes or more')
  }
  const path = secretPath(environment)
  try {
    return keptSecret(path)
  } catch (error) {
    if (error instanceof Refusal) throw error
    throw new Refusal(`the secret cannot be kept in ${path} (${(error as NodeJS.ErrnoException).code}): pass --secret`)
  }
}

/** The secret belongs to the user and not to a data folder: a bank that is reset does not change the app's settings. */
export function secretPath({ XDG_CONFIG_HOME, HOME }: NodeJS.ProcessEnv): string {
  return join(XDG_CONFIG_HOME || join(HOME || homedir(), '.config'), 'purser', 'webhook-secret')
}

function keptSecret(path: string): string {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
  try {
    // Two commands that start together agree: the second finds the file of the first.
    writeFileSync(path, `whsec_${randomBytes(SECRET_BYTES).toString('base64')}\n`, { flag: 'wx', mode: 0o600 })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  }
  const secret = readFileSync(path, 'utf8').trim()
  if (!SECRET.test(secret)) throw new Refusal(`${path} does not hold a secret: delete the file, or pass --secret`)
  return secret
}
