export {
  isConnectionError,
  isProblem,
  isWebhookError,
  type ProblemFields,
  PurserConnectionError,
  PurserProblem,
  PurserWebhookError,
  type WebhookFault,
} from './errors.ts'
export type { EventOf, FollowOptions, FollowRequestsOptions } from './follow.ts'
export { operations } from './generated/operations.ts'
export type * from './generated/resources.ts'
export type * from './generated/types.ts'
export type { List, Page } from './list.ts'
export { type CallInput, Purser, type PurserOptions, type Result } from './purser.ts'
export type { CallOptions, ResponseInfo } from './transport.ts'
export { type HeadersLike, sign, type UnwrapOptions, unwrap } from './webhooks.ts'
