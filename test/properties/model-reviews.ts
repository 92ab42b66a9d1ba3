import fc from 'fast-check'
import { PNG } from '../support/review/reviewer.ts'
import { applicant } from '../support/world.ts'
import { type Given, type Model, type ModelApplication, NOBODY, type Outcome, pick, type Request } from './model.ts'

/** The social security numbers whose meaning the sandbox knows, and any other one. */
const ssns = { denied: '000000001', passport: '000000003', waiting: '000000004', any: applicant.ssn } as const
const screenings = ['pass', 'review', 'refuse'] as const

/** The key that sends an order: one of a reviewer, one of the sandbox, or one of another organisation. */
type By = 'reviewer' | 'sandbox' | 'stranger'

/** An order about people who apply. Applications, documents and customers are named by their places. */
export type ReviewOrder =
  | { do: 'apply'; ssn: keyof typeof ssns; screening: (typeof screenings)[number]; key?: number }
  | { do: 'decideApplication'; application: number; move: 'approve' | 'deny'; by: By; key?: number }
  | { do: 'requestDocument'; application: number; by: By; key?: number }
  | { do: 'uploadDocument'; document: number; side: '' | '/back'; by: By; key?: number }
  | { do: 'decideDocument'; document: number; move: 'approve' | 'reject'; by: By; key?: number }
  | { do: 'open'; customer: number; key?: number }

export type ReviewRequest =
  | { do: 'apply'; ssn: keyof typeof ssns; screening: (typeof screenings)[number] }
  | { do: 'decideApplication'; application: string; move: 'approve' | 'deny' }
  | { do: 'requestDocument'; application: string }
  | { do: 'uploadDocument'; application: string; document: string }
  /** A reviewer names the document alone. */
  | { do: 'decideDocument'; application: string; document: string; move: 'approve' | 'reject'; isByItself: boolean }
  | { do: 'open'; owner: number }

type Post = (path: string, body?: Record<string, unknown>) => Pick<Request, 'method' | 'path' | 'body' | 'key'>

const reason = { reason: 'Model' }

export function reviewRequestOf(order: ReviewOrder, model: Model, post: Post): Request {
  if (order.do === 'apply') {
    const { ssn, screening } = order
    const body = { ...applicant, name: `Model ${screening}`, ssn: ssns[ssn] }
    return { do: 'apply', ssn, screening, ...post('banking/applications', body) }
  }
  if (order.do === 'open') {
    const owner = order.customer % model.customers.length
    return { do: 'open', owner, ...post('banking/accounts', { customerId: pick(model.customers, owner) }) }
  }
  const found = 'document' in order ? documentAt(model, order.document) : applicationAt(model, order.application)
  const { application, document } = { document: NOBODY, ...found }
  const request = withoutPath(order, application, document)
  const { key, ...sent } = post(pathOf(order, application, document), bodyOf(order))
  if (order.by === 'stranger') return { ...request, ...sent, isStranger: true }
  // A record that is not known is refused before a key is looked up, or after it.
  return { ...request, ...sent, ...(key !== undefined && application !== NOBODY && { key }) }
}

type AboutApplication = Exclude<ReviewOrder, { do: 'apply' | 'open' }>

function withoutPath(order: AboutApplication, application: string, document: string): ReviewRequest {
  if (order.do === 'requestDocument') return { do: 'requestDocument', application }
  if (order.do === 'decideApplication') return { do: 'decideApplication', application, move: order.move }
  if (order.do === 'uploadDocument') return { do: 'uploadDocument', application, document }
  return { do: 'decideDocument', application, document, move: order.move, isByItself: order.by !== 'sandbox' }
}

function pathOf(order: AboutApplication, application: string, document: string): string {
  const area = order.by === 'sandbox' ? 'sandbox' : 'review'
  const ofDocument = `applications/${application}/documents/${document}`
  if (order.do === 'requestDocument') return `review/applications/${application}/documents`
  if (order.do === 'decideApplication') return `${area}/applications/${application}/${order.move}`
  if (order.do === 'uploadDocument') return `banking/${ofDocument}${order.side}`
  return `${area}/${area === 'sandbox' ? ofDocument : `documents/${document}`}/${order.move}`
}

function bodyOf(order: AboutApplication): Record<string, unknown> | undefined {
  if (order.do === 'uploadDocument') return { file: PNG, contentType: 'image/png' }
  return order.do === 'decideApplication' && order.by === 'sandbox' ? undefined : reason
}

function applicationAt({ applications }: Model, place: number) {
  return { application: applications.length > 0 ? pick(applications, place).id : NOBODY }
}

function documentAt({ applications }: Model, place: number) {
  const all = applications.flatMap(({ id, documents }) =>
    documents.map((document) => ({ application: id, document: document.id })),
  )
  return all.length > 0 ? pick(all, place) : { application: NOBODY }
}

/** The effect of a request about people who apply, if a person reviews. */
export function effectOfReview(model: Model, request: Extract<Request, ReviewRequest>, given: Given): Outcome {
  if (request.do === 'apply') return apply(model, request, given)
  if (request.do === 'open') {
    model.accounts.push({ id: given.id, owner: request.owner, createdAt: given.createdAt, status: 'Open', lines: [] })
    return { status: 201, balance: 0, state: 'Open' }
  }
  const application = request.isStranger ? undefined : model.applications.find(({ id }) => id === request.application)
  if (!application) {
    const isOfDocument = request.do === 'decideDocument' && request.isByItself
    return { status: 404, code: isOfDocument ? 'document_not_found' : 'application_not_found' }
  }
  if (request.do === 'decideApplication' || request.do === 'requestDocument') {
    if (!isOpen(application)) return { status: 409, code: 'application_wrong_state' }
    return request.do === 'requestDocument' ? requestDocument(application, given) : decide(application, request.move)
  }
  return changeDocument(application, request)
}

const isOpen = ({ status }: ModelApplication) => status === 'PendingReview' || status === 'AwaitingDocuments'

function apply(model: Model, { ssn, screening }: Extract<ReviewRequest, { do: 'apply' }>, given: Given): Outcome {
  const isDenied = screening === 'refuse' || ssn === 'denied'
  const status = isDenied ? 'Denied' : ssn === 'passport' ? 'AwaitingDocuments' : 'PendingReview'
  const documents =
    status === 'AwaitingDocuments' ? [{ id: given.documents?.[0]?.id ?? '', status: 'Required' as const }] : []
  const needsDecision = screening === 'review' || ssn === 'any'
  model.applications.push({ id: given.id, status, documents, needsDecision })
  return { status: 201, state: status }
}

function decide(application: ModelApplication, move: 'approve' | 'deny'): Outcome {
  application.status = move === 'approve' ? 'Approved' : 'Denied'
  return { status: 200, state: application.status }
}

function requestDocument(application: ModelApplication, { id }: Given): Outcome {
  const isWaiting = application.documents.some(({ status }) => status !== 'Approved')
  if (isWaiting) return { status: 409, code: 'document_wrong_state' }
  application.documents.push({ id, status: 'Required' })
  application.status = 'AwaitingDocuments'
  application.needsDecision = true
  return { status: 201, state: 'Required' }
}

function changeDocument(
  application: ModelApplication,
  request: Extract<ReviewRequest, { do: 'uploadDocument' | 'decideDocument' }>,
): Outcome {
  const document = application.documents.find(({ id }) => id === request.document)
  if (!document) return { status: 404, code: 'document_not_found' }
  if (application.status === 'Denied') return { status: 409, code: 'application_wrong_state' }
  if (request.do === 'uploadDocument') {
    document.status = 'PendingReview'
    follow(application)
    return { status: 201, state: 'PendingReview' }
  }
  const isReviewed = document.status === 'Approved' || document.status === 'Invalid'
  if (isReviewed) return { status: 409, code: 'document_wrong_state' }
  document.status = request.move === 'approve' ? 'Approved' : 'Invalid'
  follow(application)
  return { status: 200, state: document.status }
}

/** The status of an application that is not decided follows its documents. */
function follow(application: ModelApplication): void {
  const { documents, needsDecision } = application
  if (!isOpen(application)) return
  const isMissing = documents.some(({ status }) => status === 'Required' || status === 'Invalid')
  const isComplete = documents.every(({ status }) => status === 'Approved')
  application.status = isMissing ? 'AwaitingDocuments' : isComplete && !needsDecision ? 'Approved' : 'PendingReview'
}

export function describeReview(order: ReviewOrder): string {
  if (order.do === 'apply')
    return `apply with the ssn ${order.ssn}, which the screening answers with ${order.screening}`
  if (order.do === 'open') return `open an account of customer ${order.customer}`
  const by = order.by === 'reviewer' ? '' : ` as ${order.by}`
  if (order.do === 'requestDocument') return `request a document of application ${order.application}${by}`
  if (order.do === 'decideApplication') return `${order.move} application ${order.application}${by}`
  if (order.do === 'uploadDocument') return `upload document ${order.document}${order.side}${by}`
  return `${order.move} document ${order.document}${by}`
}

const place = fc.nat({ max: 5 })
const key = fc.option(fc.nat({ max: 9 }), { nil: undefined, freq: 1 })
const by = fc.oneof(
  { weight: 4, arbitrary: fc.constant('reviewer' as const) },
  { weight: 2, arbitrary: fc.constant('sandbox' as const) },
  { weight: 1, arbitrary: fc.constant('stranger' as const) },
)
const named = <Name extends ReviewOrder['do']>(name: Name) => fc.constant(name)

export const anyReview = fc.oneof(
  {
    weight: 2,
    arbitrary: fc.record({
      do: named('apply'),
      ssn: fc.constantFrom('any', 'any', 'passport', 'waiting', 'denied'),
      screening: fc.constantFrom('pass', 'pass', 'review', 'refuse'),
      key,
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      do: named('decideApplication'),
      application: place,
      move: fc.constantFrom('approve', 'deny'),
      by,
      key,
    }),
  },
  { weight: 2, arbitrary: fc.record({ do: named('requestDocument'), application: place, by, key }) },
  {
    weight: 3,
    arbitrary: fc.record({ do: named('uploadDocument'), document: place, side: fc.constantFrom('', '/back'), by, key }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      do: named('decideDocument'),
      document: place,
      move: fc.constantFrom('approve', 'reject'),
      by,
      key,
    }),
  },
) as fc.Arbitrary<ReviewOrder>

export const anyOpening = fc.record({ do: named('open'), customer: place, key }) as fc.Arbitrary<ReviewOrder>
