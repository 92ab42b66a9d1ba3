import { type Static, Type } from 'typebox'
import { Period, Statement } from '../banking/statements/statement.ts'
import { Id } from '../base/ids.ts'
import { sandboxWrite } from './sandbox.ts'

const CreateStatementBody = Type.Object({ period: Period }, { description: 'The month of the statement' })
export type CreateStatementInput = Static<typeof CreateStatementBody> & { accountId: string }

/** Sandbox. Creates the statement of a month that is over, or returns the existing one. */
export const createStatement = sandboxWrite({
  id: 'createStatement',
  resource: 'sandbox.statements',
  verb: 'create',
  path: '/v0/sandbox/accounts/:accountId/statements',
  summary: 'Create statement',
  description:
    'Writes the statement of a past month at once, without waiting for the work of the month’s end. An existing statement is returned.\n\nA month that is not over in bank time is refused with `period_not_over`, and one before the account was opened `period_before_account`. Emits `statement.created` for a new statement.',
  status: 201,
  params: Type.Object({ accountId: Id('account') }),
  body: CreateStatementBody,
  data: Statement,
  problems: ['account_not_found', 'period_not_over', 'period_before_account'],
  run: ({ sandbox, write }, { params, body }) =>
    sandbox.createStatement(write, { accountId: params.accountId, ...body }),
})
