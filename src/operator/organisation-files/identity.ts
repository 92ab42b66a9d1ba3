import { existsSync, writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { StartupError } from '../../base/startup-error.ts'
import type { OperatorCommand } from '../command.ts'
import { identitiesIn, newIdentity, recipientOf } from './age.ts'

/** Makes the key pair of an archive: the secret half goes to a file, the public half is printed. A secret that is there is kept. */
export const makeIdentity: OperatorCommand = async ({ args: [file = ''], out }) => {
  const path = resolve(file)
  const made = !existsSync(path)
  const identity = made ? await write(path) : (identitiesIn(path)[0] ?? '')
  const recipient = await recipientOf(identity)
  const where = made ? 'is in' : 'was there already, in'
  out.result(
    { recipient, identity: path, made },
    `The secret ${where} ${path}. Archives are encrypted for ${recipient}`,
  )
}

async function write(path: string): Promise<string> {
  const identity = await newIdentity()
  try {
    writeFileSync(path, `# public key: ${await recipientOf(identity)}\n${identity}\n`, {
      mode: 0o600,
      flag: 'wx',
      flush: true,
    })
  } catch (error) {
    throw new StartupError(`cannot write ${path} (${(error as NodeJS.ErrnoException).code})`)
  }
  return identity
}
