import { type Static, Type } from 'typebox'
import { Period, Statement } from '../banking/statements/statement.ts'
import { Id } from '../base/ids.ts'
import { sandboxWrite } from './sandbox.ts'

const CreateStatementBody = Type.Object({ period: Period })
export type CreateStatementInput = Static<typeof CreateStatementBody> & { accountId: string }

/** Sandbox. Creates the statement of a month that is over, or returns the existing one. */
export const createStatement = sandboxWrite({
  id: 'createStatement',
  resource: 'sandbox.statements',
  verb: 'create',
  area: 'sandbox',
  method: 'POST',
  path: '/v0/sandbox/accounts/:accountId/statements',
  summary: 'Create statement',
  status: 201,
  scope: 'sandbox:write',
  params: Type.Object({ accountId: Id('account') }),
  body: CreateStatementBody,
  data: Statement,
  problems: ['account_not_found', 'period_not_over', 'period_before_account'],
  run: ({ sandbox, write }, { params, body }) =>
    sandbox.createStatement(write, { accountId: params.accountId, ...body }),
})
