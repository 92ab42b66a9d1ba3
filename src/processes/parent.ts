import type { Worker } from 'node:cluster'
import type { Handler } from '../base/peers/peers.ts'
import { isMessage, type Message, openQuestions, type Questions, reply } from './messages.ts'

/** The parent's side of the channels to all processes. */
export interface Parent {
  /** Takes the messages of a process that was started. */
  connect(number: number, worker: Worker, ready: (address: string) => void): void
  /** Answers the questions of processes. */
  answer(topic: string, handler: Handler): void
  /** Asks all processes but one. Those that do not answer within a second are left out. */
  askAll<Answer>(topic: string, question: unknown, except?: number): Promise<Answer[]>
  tellAll(topic: string, message: unknown, except?: number): void
  /** Called with the number of each process that has ended. */
  onEnd(listener: (number: number) => void): void
}

interface Connected {
  number: number
  worker: Worker
  questions: Questions
}

/** A process that is frozen does not hold up the others for longer. */
const ANSWER_MS = 1_000

export function openParent(): Parent {
  const connected = new Set<Connected>()
  const handlers = new Map<string, Handler>()
  const endListeners: ((number: number) => void)[] = []

  function askAll<Answer>(topic: string, question: unknown, except?: number): Promise<Answer[]> {
    const asked = [...connected].filter(({ number }) => number !== except)
    return allWithin<Answer>(
      asked.map(({ questions, worker }) =>
        questions.ask((id) => sendTo(worker, { purser: 'ask', id, topic, question, of: 'peers' })),
      ),
    )
  }

  function tellAll(topic: string, message: unknown, except?: number): void {
    for (const { number, worker } of connected) {
      if (number !== except) sendTo(worker, { purser: 'tell', topic, message, to: 'peers' })
    }
  }

  function take(from: Connected, message: Message, ready: (address: string) => void): void {
    const { number, worker, questions } = from
    if (message.purser === 'ready') ready(message.address)
    if (message.purser === 'answer') questions.settle(message)
    if (message.purser === 'tell') {
      if (message.to === 'parent') handlers.get(message.topic)?.(message.message, number)
      else tellAll(message.topic, message.message, number)
    }
    if (message.purser === 'ask') {
      const { id, topic, question, of } = message
      const answer =
        of === 'peers' ? () => askAll(topic, question, number) : () => handlers.get(topic)?.(question, number)
      void reply(id, answer, (sent) => sendTo(worker, sent))
    }
  }

  return {
    connect(number, worker, ready) {
      const one: Connected = { number, worker, questions: openQuestions() }
      connected.add(one)
      worker.on('message', (message: unknown) => {
        if (isMessage(message)) take(one, message, ready)
      })
      worker.once('exit', () => {
        connected.delete(one)
        one.questions.end(new Error('the process has ended'))
        for (const listener of endListeners) listener(number)
      })
    },
    answer: (topic, handler) => void handlers.set(topic, handler),
    askAll,
    tellAll,
    onEnd: (listener) => void endListeners.push(listener),
  }
}

/** The answers that come in time. */
async function allWithin<Answer>(asked: Promise<unknown>[]): Promise<Answer[]> {
  const answers: Answer[] = []
  const noted = asked.map((each) =>
    each.then(
      (answer) => void answers.push(answer as Answer),
      () => undefined,
    ),
  )
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, ANSWER_MS)
  })
  await Promise.race([Promise.all(noted), late])
  clearTimeout(timer)
  return [...answers]
}

/** A process that has just ended gets nothing any more. */
function sendTo(worker: Worker, message: Message): void {
  if (worker.isConnected()) worker.send(message, undefined, undefined, () => undefined)
}
