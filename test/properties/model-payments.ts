import {
  type AccountLimits,
  availableOf,
  balanceOf,
  type Given,
  holdOf,
  type Model,
  type ModelLimits,
  type ModelPayment,
  type Outcome,
  pick,
  type Request,
  spendableOf,
  type Work,
} from './model.ts'

type Of<Name> = Extract<Request | Work, { do: Name }>

const sum = (numbers: number[]) => numbers.reduce((total, number) => total + number, 0)

/** A payment, which may be above limits, or go to an external account under review. */
export function pay(model: Model, request: Omit<Of<'pay'>, 'do'>, given: Given): Outcome {
  const account = pick(model.accounts, request.account)
  const { amount } = request
  const external = model.externals.find(({ id }) => id === request.external)
  if (external?.owner !== account.owner || external.deleted) return { status: 404, code: 'external_account_not_found' }
  if (account.status !== 'Open') return { status: 409, code: 'account_not_open' }
  const named = external.names === undefined ? undefined : model.accounts[external.names]
  const destination = named?.status === 'Closed' ? undefined : named
  if (destination === account) return { status: 422, code: 'same_account' }
  if (spendableOf(model, account) < amount) return { status: 422, code: 'insufficient_funds' }
  const verdicts = [
    verdictOf(account.limits, amount, usedBy(model, given.createdAt, request.account)),
    verdictOf(model.organisation, amount, usedBy(model, given.createdAt)),
  ]
  if (verdicts.includes('hard')) return { status: 422, code: 'limit_exceeded' }
  const screened = verdicts.includes('soft') ? screeningOf(amount) : undefined
  if (screened === 'refuse') return { status: 422, code: 'payment_rejected' }
  const isReviewed = external.review === 'PendingReview' || screened === 'review'
  account.lines.push(-amount)
  if (!isReviewed) destination?.lines.push(amount)
  model.payments.push({
    ...{ id: given.id, account: request.account, amount, createdAt: given.createdAt, isBook: false },
    ...{ status: isReviewed ? 'PendingReview' : 'Sent', ownBank: !isReviewed && destination !== undefined },
    ...{ external: external.id, isScreened: screened === 'review' },
  })
  return { status: 201, state: isReviewed ? 'PendingReview' : 'Sent' }
}

/** The answer of the screening about a payment above a soft limit. */
export function screeningOf(amount: number): 'pass' | 'review' | 'refuse' {
  return (['review', 'pass', 'review', 'refuse'] as const)[amount % 4] ?? 'review'
}

type Used = Record<'payment' | 'day' | 'month', number>

function verdictOf(limits: ModelLimits | undefined, amount: number, used: Used): 'hard' | 'soft' | undefined {
  const isPast = (kind: 'hard' | 'soft') =>
    (['payment', 'day', 'month'] as const).some((period) => {
      const limit = limits?.[period][kind]
      return limit !== undefined && used[period] + amount > limit
    })
  return isPast('hard') ? 'hard' : isPast('soft') ? 'soft' : undefined
}

/** The amounts that count for limits at a time: of an account, or of all. */
function usedBy({ payments }: Model, at: string, account?: number): Used {
  const counted = payments.filter(
    (payment) =>
      (account === undefined || payment.account === account) &&
      !payment.isBook &&
      payment.status !== 'Canceled' &&
      payment.status !== 'Rejected',
  )
  const in_ = (period: string) =>
    sum(counted.filter(({ createdAt }) => createdAt.startsWith(period)).map(({ amount }) => amount))
  return { payment: 0, day: in_(at.slice(0, 10)), month: in_(at.slice(0, 7)) }
}

/** The amounts that the limits of an account show as used. */
export function usedAmounts(model: Model, { account }: { account: number }, at: string): (number | null)[] {
  if (!pick(model.accounts, account).limits) return [null, null]
  const { day, month } = usedBy(model, at, account)
  return [day, month]
}

/** Limits, or none if all are absent. */
export function someOf<Given extends AccountLimits>(limits: Given): Given | undefined {
  const { payment, day, month, overdraft } = limits
  const isEmpty = [payment, day, month].every(({ soft, hard }) => soft === undefined && hard === undefined)
  return isEmpty && overdraft === undefined ? undefined : limits
}

/** A transfer of another bank. It never overdraws the account. */
export function receive(model: Model, { account: place, direction, amount }: Of<'receive'>): Outcome {
  const account = pick(model.accounts, place)
  const debit = direction === 'Debit'
  if (account.status === 'Closed') return { status: 409, code: 'account_closed' }
  if (debit && account.status !== 'Open') return { status: 409, code: 'account_not_open' }
  if (debit && availableOf(model, account) < amount) return { status: 422, code: 'insufficient_funds' }
  account.lines.push(debit ? -amount : amount)
  return { status: 201, balance: balanceOf(account) }
}

/** A book transfer. Money also reaches a frozen account. */
export function transfer(model: Model, request: Of<'transfer'>, given: Given): Outcome {
  const [account, destination] = [pick(model.accounts, request.account), pick(model.accounts, request.to)]
  const { amount } = request
  if (account.status !== 'Open') return { status: 409, code: 'account_not_open' }
  if (destination === account) return { status: 422, code: 'same_account' }
  if (destination.status === 'Closed') return { status: 409, code: 'account_closed' }
  if (spendableOf(model, account) < amount) return { status: 422, code: 'insufficient_funds' }
  account.lines.push(-amount)
  destination.lines.push(amount)
  const { id, createdAt } = given
  model.payments.push({ id, account: request.account, amount, status: 'Sent', isBook: true, ownBank: true, createdAt })
  return { status: 201, state: 'Sent' }
}

/** Moves the balance of an account that is closed to another one; returns the refusal, if there is one. */
export function moveBalance(model: Model, place: number, closeTo: number): Outcome | undefined {
  const [account, destination] = [pick(model.accounts, place), pick(model.accounts, closeTo)]
  if (destination === account) return { status: 422, code: 'same_account' }
  if (destination.owner !== account.owner) return { status: 404, code: 'account_not_found' }
  if (destination.status === 'Closed' || account.status === 'Closed') return { status: 409, code: 'account_closed' }
  const balance = balanceOf(account)
  if (holdOf(model, account) > 0 || balance < 0) return { status: 409, code: 'account_not_empty' }
  if (balance === 0) return undefined
  if (account.status !== 'Open') return { status: 409, code: 'account_not_open' }
  account.lines.push(-balance)
  destination.lines.push(balance)
  return undefined
}

type Move = Of<'return' | 'cancel' | 'approve' | 'reject' | 'release'>

/** A change of a payment, by a request or as work of the bank. */
export function movePayment(model: Model, { do: move, payment: id }: Pick<Move, 'do' | 'payment'>): Outcome {
  const payment = model.payments.find((each) => each.id === id)
  if (move === 'release') {
    if (payment) release(model, payment)
    return { status: 0 }
  }
  if (!payment) return { status: 404, code: 'payment_not_found' }
  const isWaiting = payment.status === 'PendingReview'
  if (move === 'return') {
    if (payment.status !== 'Sent' || payment.ownBank) return { status: 409, code: 'payment_not_returnable' }
    return giveBack(model, payment, 'Returned')
  }
  if (move === 'cancel') {
    return isWaiting ? giveBack(model, payment, 'Canceled') : { status: 409, code: 'payment_not_cancelable' }
  }
  if (!isWaiting) return { status: 409, code: 'payment_not_in_review' }
  return move === 'reject' ? giveBack(model, payment, 'Rejected') : approve(model, payment)
}

function giveBack(model: Model, payment: ModelPayment, status: 'Returned' | 'Canceled' | 'Rejected'): Outcome {
  payment.status = status
  pick(model.accounts, payment.account).lines.push(payment.amount)
  return { status: 200, state: status }
}

/** If the external account names an account that is not closed, the money reaches that. */
function approve(model: Model, payment: ModelPayment): Outcome {
  payment.status = 'Sent'
  const names = model.externals.find(({ id }) => id === payment.external)?.names
  const named = names === undefined ? undefined : pick(model.accounts, names)
  if (named && named.status !== 'Closed') {
    named.lines.push(payment.amount)
    payment.ownBank = true
  }
  return { status: 200, state: 'Sent' }
}

function release(model: Model, payment: ModelPayment): void {
  if (payment.status !== 'PendingReview') return
  const review = model.externals.find(({ id }) => id === payment.external)?.review
  if (review === 'Approved') approve(model, payment)
  else giveBack(model, payment, 'Rejected')
}

/** The deletion of an external account, or the decision of a reviewer. */
export function changeExternal(model: Model, request: Of<'delete' | 'decideExternal'>): Outcome {
  const external = model.externals.find(({ id }) => id === request.external)
  if (!external || external.deleted) return { status: 404, code: 'external_account_not_found' }
  if (request.do === 'delete') {
    external.deleted = true
    return { status: 204 }
  }
  if (external.review !== 'PendingReview') return { status: 409, code: 'external_account_not_in_review' }
  external.review = request.move === 'approve' ? 'Approved' : 'Rejected'
  external.deleted = request.move === 'reject'
  return { status: 200 }
}

/** Lets payments of an account that wait for their external account wait for a decision of their own. */
export function keepWaiting({ payments }: Model, account: number): void {
  for (const payment of payments) {
    if (payment.account === account && payment.status === 'PendingReview') payment.isScreened = true
  }
}

/** A hold of an amount. A legal order may exceed what is available. */
export function hold(model: Model, request: Of<'hold'>, given: Given): Outcome {
  const { account: place, amount, isLegal, expiresAt } = request
  const account = pick(model.accounts, place)
  if (account.status === 'Closed') return { status: 409, code: 'account_closed' }
  if (expiresAt !== undefined && expiresAt <= given.createdAt) return { status: 400, code: 'invalid_request' }
  if (!isLegal && spendableOf(model, account) < amount) return { status: 422, code: 'insufficient_funds' }
  if (isLegal && availableOf(model, account) < amount) keepWaiting(model, place)
  model.holds.push({ id: given.id, account: place, amount, status: 'Active', expiresAt })
  return { status: 201, state: 'Active' }
}

/** The release or the expiry of a hold. */
export function endHold(
  model: Model,
  request: Pick<Of<'expireHold'>, 'do' | 'hold'> | Pick<Of<'releaseHold'>, 'do' | 'hold' | 'account'>,
): Outcome {
  const found = model.holds.find(({ id }) => id === request.hold)
  if (request.do === 'expireHold') {
    if (found?.status === 'Active') found.status = 'Expired'
    return { status: 0 }
  }
  if (found?.account !== request.account) return { status: 404, code: 'account_hold_not_found' }
  if (found.status !== 'Active') return { status: 409, code: 'account_hold_not_active' }
  found.status = 'Released'
  return { status: 200, state: 'Released' }
}
