import { accountRules } from '../../src/banking/accounts/account.ts'
import { refusalIn } from '../../src/banking/state-rules.ts'
import {
  balanceOf,
  DAY_MS,
  dueBy,
  type Given,
  holdsDueBy,
  type Model,
  type Outcome,
  pick,
  type Request,
  releasesIn,
  type Work,
} from './model.ts'
import { effectOfCard } from './model-cards.ts'
import {
  changeExternal,
  endHold,
  hold,
  keepWaiting,
  moveBalance,
  movePayment,
  pay,
  receive,
  someOf,
  transfer,
  usedAmounts,
} from './model-payments.ts'
import { effectOfReview } from './model-reviews.ts'

/** Predicts the outcome of a request and applies it to the model. */
export function predict(model: Model, request: Request | Work, given: Given, text: string): Outcome {
  if (!('key' in request) || request.key === undefined) return effectOf(model, request, given)
  // The record in the path is looked up before the key.
  if ('authorization' in request && !model.authorizations.some(({ id }) => id === request.authorization)) {
    return { status: 404, code: 'authorization_not_found' }
  }
  const name = JSON.stringify([request.path, request.body])
  const stored = model.answers[request.key]
  if (stored) {
    if (stored.request !== name) return { status: 422, code: 'idempotency_key_reused' }
    return { status: stored.status, replayed: stored.text }
  }
  const outcome = effectOf(model, request, given)
  if (outcome.status < 300) model.answers[request.key] = { request: name, status: outcome.status, text }
  return outcome
}

function effectOf(model: Model, request: Request | Work, given: Given): Outcome {
  switch (request.do) {
    case 'transfer':
      return transfer(model, request, given)
    case 'pay':
      return pay(model, request, given)
    case 'receive':
      return receive(model, request)
    case 'return':
    case 'cancel':
    case 'approve':
    case 'reject':
    case 'release':
      return movePayment(model, request)
    case 'delete':
    case 'decideExternal':
      return changeExternal(model, request)
    case 'limits': {
      pick(model.accounts, request.account).limits = someOf(request.limits)
      return { status: 200, used: usedAmounts(model, request, model.now) }
    }
    case 'organisation':
      model.organisation = request.limits && someOf(request.limits)
      return { status: 200 }
    case 'hold':
      return hold(model, request, given)
    case 'releaseHold':
    case 'expireHold':
      return endHold(model, request)
    case 'batch':
      throw new Error('the items of a batch are predicted one by one')
    case 'move': {
      const account = pick(model.accounts, request.account)
      const refused = refusalIn(accountRules, `${request.move}Account`, account.status)
      const closing = request.closeTo === undefined ? undefined : moveBalance(model, request.account, request.closeTo)
      if (closing) return closing
      if (refused) return { status: 409, code: refused }
      account.status = accountRules[`${request.move}Account`].to
      if (request.move === 'freeze') keepWaiting(model, request.account)
      if (request.move === 'close') {
        for (const card of model.cards) if (card.account === request.account) card.status = 'ClosedByCustomer'
      }
      return { status: 200, balance: balanceOf(account), state: account.status }
    }
    case 'advance': {
      if (request.to <= model.now) return { status: 422, code: 'clock_not_forward' }
      if (Date.parse(request.to) > Date.parse(model.now) + 400 * DAY_MS) return { status: 400, code: 'invalid_request' }
      for (const authorization of dueBy(model, request.to)) authorization.status = 'Canceled'
      model.month = request.to.slice(0, 7)
      for (const { id } of holdsDueBy(model, request.to)) endHold(model, { do: 'expireHold', hold: id })
      for (const { id } of releasesIn(model)) movePayment(model, { do: 'release', payment: id })
      return { status: 200 }
    }
    case 'apply':
    case 'decideApplication':
    case 'requestDocument':
    case 'uploadDocument':
    case 'decideDocument':
    case 'open':
      return effectOfReview(model, request, given)
    default:
      return effectOfCard(model, request, given)
  }
}
