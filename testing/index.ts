export { type OrganisationOptions, TestOrganisation, type WaitOptions } from './organisation.ts'
export { type Bank, type StartOptions, startPurser } from './start-purser.ts'
export { type ReceivedEvent, type ReceiveOptions, type WebhookHandler, WebhookReceiver } from './webhook-receiver.ts'
