import { ask, COMMAND } from './person.ts'

/** A sign-in of the command line that waits for the person's consent. */
export interface CommandSignIn {
  challenge: string
  /** The port of this machine at which the command line listens. */
  port: number
  state: string
}

/** The sign-in in the address, which is removed from the address at once. It stays in this tab while the person signs in. */
export function takeCommandSignIn(): CommandSignIn | undefined {
  const given = new URLSearchParams(location.hash.slice(1)).get('command')
  if (given !== null) {
    history.replaceState(history.state, '', location.pathname + location.search)
    sessionStorage.setItem(COMMAND, given)
  }
  const signIn = signInOf(sessionStorage.getItem(COMMAND) ?? '')
  if (!signIn) forgetCommandSignIn()
  return signIn
}

/** Reads a sign-in. Nothing in it can lead the browser elsewhere than to a port of this machine. */
function signInOf(text: string): CommandSignIn | undefined {
  const [, challenge = '', port = '', state = ''] = /^([0-9a-f]{64})\.(\d{4,5})\.([\w-]{43})$/.exec(text) ?? []
  return challenge && Number(port) < 65_536 ? { challenge, port: Number(port), state } : undefined
}

/** The code that the command line shows, too. */
export function codeOf({ challenge }: CommandSignIn): string {
  return `${challenge.slice(0, 4)}-${challenge.slice(4, 8)}`.toUpperCase()
}

function forgetCommandSignIn(): void {
  sessionStorage.removeItem(COMMAND)
}

/** Lets the command line act as the person, and sends the browser to it. */
export async function allow(signIn: CommandSignIn): Promise<void> {
  const { code } = await ask<{ code: string }>('allow', { challenge: signIn.challenge })
  leaveTo(signIn, { code })
}

export function refuse(signIn: CommandSignIn): void {
  leaveTo(signIn, {})
}

function leaveTo({ port, state }: CommandSignIn, outcome: Record<string, string>): void {
  forgetCommandSignIn()
  location.replace(`http://127.0.0.1:${port}/?${new URLSearchParams({ ...outcome, state })}`)
}
