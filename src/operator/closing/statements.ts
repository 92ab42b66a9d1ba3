import { basename } from 'node:path'
import { exitCodes } from '../../../ground/failure.ts'
import { latestFiles } from '../../bank/closing/lists.ts'
import { reconcile } from '../../bank/closing/reconcile.ts'
import { readGiven, takeStatements } from '../../bank/closing/take-statement.ts'
import { counted } from '../../base/text.ts'
import { contentOf } from '../ach/content.ts'
import type { OperatorCommand } from '../command.ts'
import { textOf, visitClosing } from './visit-closing.ts'

/** Takes files of statements, and matches their lines. Exit code 1 if one is refused. */
export const takeStatementFiles: OperatorCommand = async (call) => {
  const { args, options, out } = call
  const replace = options.replace === undefined ? undefined : textOf(options.replace, '--replace')
  return visitClosing(call, async ({ core, bank, form }) => {
    let refused = 0
    for (const path of args) {
      const bytes = await contentOf(path, 'a bank statement')
      const intake = await takeStatements(
        core.database,
        form,
        readGiven(form, { name: basename(path), bytes, replace }),
      )
      if (intake.state === 'refused') refused++
      const days = intake.statements.map(({ asOf, entries, effect, flags }) => {
        const noted = flags.length > 0 ? ` (${flags.join(', ')})` : ''
        return `  ${asOf} ${effect}, ${counted(entries, 'line')}${noted}`
      })
      out.result(
        { file: basename(path), ...intake },
        [`${basename(path)} ${intake.state}: ${intake.detail}`, ...days].join('\n'),
      )
    }
    const matched = await reconcile(core.database, bank.ledgers, bank.windowDays)
    if (matched) out.note(`${counted(matched, 'match').replace(/matchs$/, 'matches')} made`)
    return refused > 0 ? exitCodes.refused : 0
  })
}

/** Lists the latest files of statements. */
export const listStatementFiles: OperatorCommand = async (call) => {
  const rows = await visitClosing(call, ({ core }) => latestFiles(core.database))
  const headings = {
    ...{ asOf: 'DAY', page: 'PAGE', standing: 'STANDING', opening: 'OPENING', closing: 'CLOSING', entries: 'LINES' },
    ...{ file: 'FILE', state: 'STATE', detail: 'DETAIL', takenAt: 'TAKEN' },
  }
  await call.out.records(rows, headings, { money: ['opening', 'closing'] })
}
