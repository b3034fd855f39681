import type { ChildProcess } from 'node:child_process'

/** The messages between a process and its child: the child is ready, a question, its answer. */
export interface Ready {
  ready: string
}
interface Question {
  id: number
  name: string
  input: unknown
}
interface Answer {
  id: number
  answer?: unknown
  fault?: string
}

export type Answers = Record<string, (input: never) => unknown>

/** In a child: tells the parent that it is ready, answers its questions, and ends with it. */
export const answerQuestions = (answers: Answers, ready = '', leave: () => void = () => undefined): void => {
  const reply = (answer: Answer) => process.send?.(answer)
  process.on('message', ({ id, name, input }: Question) => {
    void Promise.resolve()
      .then(() => answers[name]?.(input as never))
      .then((answer) => reply({ id, answer }))
      .catch((error: unknown) => reply({ id, fault: String((error as Error).stack) }))
  })
  process.on('disconnect', () => {
    leave()
    process.exit(1)
  })
  // Ctrl-C is sent to every process of the terminal; the parent ends its children.
  process.on('SIGINT', () => undefined)
  process.send?.({ ready } satisfies Ready)
}

/** In the parent: asks a child; resolves to the answer. */
export const createAsk = (child: ChildProcess) => {
  let lastId = 0
  return <T = unknown>(name: string, input?: unknown): Promise<T> =>
    new Promise((resolve, reject) => {
      const id = ++lastId
      const end = () => {
        child.off('message', listen)
        child.off('exit', fail)
      }
      const listen = (message: Answer) => {
        if (message.id !== id) return
        end()
        if (message.fault === undefined) resolve(message.answer as T)
        else reject(new Error(message.fault))
      }
      const fail = () => {
        end()
        reject(new Error(`The process ended before it answered ${name}`))
      }
      child.on('message', listen)
      child.once('exit', fail)
      child.send({ id, name, input } satisfies Question)
    })
}
