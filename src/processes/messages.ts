/** The messages between the parent process and the others. An answer has the number of its question. */
export type Message =
  | { purser: 'ready'; address: string }
  | { purser: 'ask'; id: number; topic: string; question: unknown; of: 'parent' | 'peers' }
  | { purser: 'tell'; topic: string; message: unknown; to: 'parent' | 'peers' }
  | { purser: 'answer'; id: number; answer?: unknown; fault?: string }

export function isMessage(message: unknown): message is Message {
  return typeof message === 'object' && message !== null && 'purser' in message
}

interface Waiting {
  resolve(answer: unknown): void
  reject(error: Error): void
}

/** The questions of one sender that have no answer yet. */
export interface Questions {
  /** Notes a question, which `send` sends with its number. */
  ask<Answer>(send: (id: number) => void): Promise<Answer>
  settle(message: Extract<Message, { purser: 'answer' }>): void
  /** Ends all questions with an error, because nobody will answer them. */
  end(error: Error): void
}

export function openQuestions(): Questions {
  const waiting = new Map<number, Waiting>()
  let last = 0
  return {
    ask: <Answer>(send: (id: number) => void) =>
      new Promise<Answer>((resolve, reject) => {
        const id = ++last
        waiting.set(id, { resolve: resolve as Waiting['resolve'], reject })
        send(id)
      }),
    settle({ id, answer, fault }) {
      const asked = waiting.get(id)
      waiting.delete(id)
      if (fault === undefined) asked?.resolve(answer)
      else asked?.reject(new Error(fault))
    },
    end(error) {
      for (const { reject } of waiting.values()) reject(error)
      waiting.clear()
    },
  }
}

/** Runs a handler and sends its answer, or its failure. */
export async function reply(id: number, answer: () => unknown, send: (message: Message) => void): Promise<void> {
  try {
    send({ purser: 'answer', id, answer: await answer() })
  } catch (error) {
    send({ purser: 'answer', id, fault: (error as Error).message })
  }
}
