export { commandApp } from '../storm/command-app.ts'
export type { ActionInput, Law, Life, StormApp, StormBank, Subject as StormSubject } from '../storm/life.ts'
export type { StormCustomer } from '../storm/step.ts'
export { StormFailure, type StormOptions, type Survived } from '../storm/storm.ts'
export {
  type CampaignOptions,
  type OrganisationOptions,
  type TestCampaign,
  TestOrganisation,
  type WaitOptions,
} from './organisation.ts'
export { type Bank, type StartOptions, startPurser } from './start-purser.ts'
export { storm } from './storm.ts'
export { type ReceivedEvent, type ReceiveOptions, type WebhookHandler, WebhookReceiver } from './webhook-receiver.ts'
