import { ReceivedPayment } from '../../../banking/payments/received-payment.ts'
import { cents, idOf, instant, optionalText, ownerId, type Resource, tagsOf, text } from '../resource.ts'
import { counterpartyOf } from './counterparty.ts'
import { fitting } from './fitting.ts'
import { returnOf } from './return-reason.ts'

const asReceivedPayment = fitting(ReceivedPayment)

export function receivedPayment(resource: Resource): ReceivedPayment {
  const { wasAdvanced } = resource.attributes
  const shown = {
    id: idOf(resource),
    type: resource.type,
    accountId: ownerId(resource, 'account'),
    amount: cents(resource, 'amount'),
    createdAt: instant(resource, 'createdAt'),
    description: optionalText(resource, 'description') ?? '',
    direction: text(resource, 'direction'),
    status: text(resource, 'status'),
    counterparty: counterpartyOf(resource),
    ...present(resource, 'receiverName', 'receivingEntityName'),
    ...present(resource, 'secCode'),
    ...present(resource, 'traceNumber'),
    ...present(resource, 'addenda'),
    ...present(resource, 'expectedCompletionDate', 'completionDate'),
    ...(typeof wasAdvanced === 'boolean' && { wasAdvanced }),
    ...returnOf(resource, 'returnReason'),
    tags: tagsOf(resource),
  }
  return asReceivedPayment(shown, resource)
}

/** A member that the upstream may leave out, under the upstream's name for it. */
function present<Name extends string>(
  resource: Resource,
  name: Name,
  theirs: string = name,
): { [key in Name]?: string } {
  const value = optionalText(resource, theirs)
  return value === undefined ? {} : ({ [name]: value } as { [key in Name]: string })
}
