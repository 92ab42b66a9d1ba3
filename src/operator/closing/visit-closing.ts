import { UsageError } from '../../../ground/failure.ts'
import type { Core } from '../../backend/core.ts'
import type { ClosingBank } from '../../bank/closing/banking-days.ts'
import type { ReadLedgers } from '../../bank/closing/reconcile.ts'
import type { Said } from '../../bank/closing/settle-items.ts'
import { StartupError } from '../../base/startup-error.ts'
import { isCleanText } from '../../base/text.ts'
import { cellsOf } from '../../cells/settings.ts'
import { visitOwned } from '../../cells/visit-owned.ts'
import type { StatementSettings } from '../../config/statements.ts'
import { visitBank } from '../ach/bank.ts'
import type { OperatorCall } from '../command.ts'

interface Visited {
  core: Core
  bank: ClosingBank
  form: StatementSettings
}

/** Runs `work` with the home cell, which has the statements of the whole bank, and with the ledgers of all cells. */
export function visitClosing<T>(call: OperatorCall, work: (visited: Visited) => Promise<T>): Promise<T> {
  const settings = call.config()
  const form = settings.statements
  if (!form) throw new StartupError('set PURSER_STATEMENT_ACCOUNT to the number of the settlement account at your bank')
  return visitBank(call, cellsOf(settings)[0], (core) => {
    const ledgers: ReadLedgers = async (read) =>
      settings.cells.length === 0 ? [await read(core.database, [])] : visitOwned(settings, read, call.closers)
    const { account, windowDays } = form
    const { routingNumber } = settings
    return work({ core, form, bank: { database: core.database, ledgers, routingNumber, account, windowDays } })
  })
}

const MAX_REASON = 400

/** The person who gives the command, and the reason. */
export function saidBy({ options, environment }: OperatorCall): Said {
  return { person: personOf(environment), reason: textOf(options.reason, '--reason') }
}

export function textOf(given: unknown, option: string): string {
  if (typeof given !== 'string' || given.trim() === '' || given.length > MAX_REASON || !isCleanText(given)) {
    throw new UsageError(`${option} takes a text of up to ${MAX_REASON} characters`)
  }
  return given
}

/** The user of the machine who gives the command. */
function personOf({ USER, LOGNAME }: Record<string, string | undefined>): string {
  return (USER ?? LOGNAME ?? '').slice(0, 64) || 'operator'
}

export function itemId(given: string | undefined): number {
  const id = /^[1-9]\d{0,14}$/.test(given ?? '') ? Number(given) : 0
  if (id === 0) throw new UsageError(`${given ?? 'nothing'} is no id of an item`)
  return id
}
