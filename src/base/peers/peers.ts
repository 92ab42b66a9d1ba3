/** The other processes of the same service, behind the same port. Absent if the service is one process. */
export interface Peers {
  /** The number of this process, from 1. */
  readonly number: number
  /** The number of processes. */
  readonly count: number
  /** Asks every other process. Those that do not answer within a second are left out, and all if the parent process is gone. */
  ask<Answer>(topic: string, question: unknown): Promise<Answer[]>
  /** Sends every other process a message and waits for nothing. */
  tellPeers(topic: string, message: unknown): void
  /** Answers the questions and takes the messages of the others and of the parent process. */
  answer(topic: string, handler: Handler): void
  /** Asks the parent process, which has the counts that all processes share. Rejects with a refusal if it is gone. */
  askParent<Answer>(topic: string, question: unknown): Promise<Answer>
  /** Sends the parent process a message and waits for nothing. */
  tellParent(topic: string, message: unknown): void
}

// biome-ignore lint/suspicious/noExplicitAny: both sides of a topic agree on the shape
export type Handler = (question: any, from: number) => unknown
