import { createPublicKey } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { UsageError } from '../../../ground/failure.ts'
import { tableText } from '../../../ground/table.ts'
import {
  certificatesOf,
  closeDay as closeBankDay,
  type DayState,
  listDays,
  readDay,
  reopenDay,
} from '../../bank/closing/banking-days.ts'
import { checkCertificate, checkChain, type Verdict } from '../../bank/closing/certificate.ts'
import { parseInstant } from '../../base/clock.ts'
import { StartupError } from '../../base/startup-error.ts'
import { readSecret } from '../../secrets/read-secret.ts'
import type { OperatorCommand } from '../command.ts'
import { textOf, visitClosing } from './visit-closing.ts'

/** A day as `YYYY-MM-DD`. */
export function dayIn(given: string | undefined): string {
  if (given && /^\d{4}-\d\d-\d\d$/.test(given) && parseInstant(given)) return given
  throw new UsageError('a day has the form 2026-02-03')
}

/** Closes a banking day. Exit code 1 with the reasons if it stays open. */
export const closeDay: OperatorCommand = async (call) => {
  const { args, config, out } = call
  const day = dayIn(args[0])
  const key = config().closingKey
  if (!key) throw new StartupError('set PURSER_CLOSING_KEY to the Ed25519 key that signs certificates')
  const closed = await visitClosing(call, ({ bank }) => closeBankDay(bank, day, key))
  if ('reasons' in closed) {
    out.result(
      { day, state: 'open', reasons: closed.reasons },
      [`${day} stays open:`, ...indented(closed.reasons)].join('\n'),
    )
    return 1
  }
  const { version, sha256 } = closed
  out.result({ day, state: 'closed', version, sha256 }, `${day} is closed, certificate ${sha256}`)
  return 0
}

const indented = (lines: readonly string[]) => lines.map((line) => `  ${line}`)

/** Lists the days, shows one that is open, or prints the certificate of a closed one. */
export const showDay: OperatorCommand = async (call) => {
  const { args, options, out } = call
  if (args[0] === undefined) {
    const days = await visitClosing(call, ({ core }) => listDays(core.database))
    const headings = {
      day: 'DAY',
      state: 'STATE',
      version: 'VERSION',
      hasStatement: 'STATEMENT',
      sha256: 'CERTIFICATE',
    }
    await out.records(days, headings)
    return 0
  }
  const day = dayIn(args[0])
  return visitClosing(call, async ({ core, bank }) => {
    const versions = await certificatesOf(core.database, day)
    const wanted =
      options.certificate === undefined
        ? versions.find((each) => each.reopenedAt === null)
        : versions.find((each) => String(each.version) === options.certificate)
    if (options.certificate !== undefined && !wanted)
      throw new StartupError(`${day} has no version ${options.certificate}`)
    if (wanted) {
      // The bytes of the certificate as they were signed.
      out.bytes(Buffer.from(wanted.certificate))
      return 0
    }
    const state = await readDay(bank, day)
    out.result(state, textOfDay(state))
    return state.reasons.length > 0 ? 1 : 0
  })
}

function textOfDay({ day, reasons, terms }: DayState): string {
  const { statement, ledger, statementItems, ledgerItems } = terms.settlement
  const rows = [
    ...terms.ledger.map(({ kind, balance }) => ({ name: `ledger: ${kind}`, amount: balance })),
    { name: 'ledger: sum', amount: terms.ledger.reduce((sum, { balance }) => sum + balance, 0) },
    { name: 'statement', amount: statement },
    { name: 'ledger of the settlement account', amount: ledger },
    { name: 'lines that the ledger does not have', amount: statementItems },
    { name: 'movements that the statement does not have', amount: ledgerItems },
    { name: 'difference', amount: statement - ledger - statementItems + ledgerItems },
  ]
  const verdict = reasons.length === 0 ? ['the day can be closed'] : ['the day stays open:', ...indented(reasons)]
  return [tableText(rows, { name: day, amount: 'AMOUNT' }, { money: ['amount'] }), ...verdict].join('\n')
}

/** Opens the last closed day again. */
export const reopenClosedDay: OperatorCommand = async (call) => {
  const day = dayIn(call.args[0])
  const reason = textOf(call.options.reason, '--reason')
  await visitClosing(call, ({ core }) => reopenDay(core.database, day, reason))
  call.out.result({ day, state: 'open' }, `${day} is open again; its certificate stays`)
}

/** Verifies certificates without a database: each by itself, and how they follow each other. Exit code 1 if one has a fault. */
export const verifyDays: OperatorCommand = async ({ args, options, out }) => {
  const key = options.key === undefined ? undefined : publicKeyIn(String(options.key))
  const verdicts: Verdict[] = []
  for (const path of args) verdicts.push(await verdictOn(path, key))
  const checked = checkChain(verdicts)
  for (const { day, faults, sha256, certificate } of checked) {
    const text =
      faults.length === 0
        ? `${day} version ${certificate.version} holds`
        : [`${day} does not hold:`, ...indented(faults)].join('\n')
    out.result({ day, version: certificate.version, holds: faults.length === 0, faults, sha256 }, text)
  }
  return checked.some(({ faults }) => faults.length > 0) ? 1 : 0
}

async function verdictOn(path: string, key: string | undefined): Promise<Verdict> {
  try {
    return checkCertificate(await readFile(path, 'utf8'), key)
  } catch (error) {
    throw new StartupError(`${path}: ${(error as Error).message}`)
  }
}

/** The public key in a PEM file, in the form that certificates have. */
function publicKeyIn(path: string): string {
  const found = readSecret(path)
  if ('fault' in found) throw new UsageError(`--key ${found.fault}`)
  try {
    return createPublicKey(found.text).export({ format: 'der', type: 'spki' }).toString('base64')
  } catch {
    throw new UsageError('--key takes a file with a public key as PEM')
  }
}
