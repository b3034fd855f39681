interface Limits<Question> {
  /** Groups of questions that are under way at once; while they are, the next one collects questions. */
  atOnce: number
  /** Of a group, unless one question is larger. */
  maxSize: number
  sizeOf?: (question: Question) => number
}

/**
 * Answers together what is asked in one turn of the event loop. `answer` returns the answers in the order of the questions. Nothing is
 * read before it is asked for, so that no answer is older than its question.
 */
export const createTogether = <Question, Answer>(
  answer: (questions: Question[]) => Promise<Answer[]>,
  { atOnce, maxSize, sizeOf = () => 1 }: Limits<Question>,
) => {
  const waiting: { question: Question; asked: PromiseWithResolvers<Answer> }[] = []
  let running = 0
  let isPlanned = false

  const takeGroup = () => {
    let size = 0
    const end = waiting.findIndex(({ question }) => (size += sizeOf(question)) > maxSize)
    return waiting.splice(0, end < 0 ? waiting.length : Math.max(1, end))
  }

  const run = async (): Promise<void> => {
    const group = takeGroup()
    running++
    try {
      const answers = await answer(group.map(({ question }) => question))
      for (const [index, { asked }] of group.entries()) asked.resolve(answers[index] as Answer)
    } catch (error) {
      for (const { asked } of group) asked.reject(error)
    }
    running--
    plan()
  }

  const plan = (): void => {
    if (isPlanned || running >= atOnce || waiting.length === 0) return
    isPlanned = true
    setImmediate(() => {
      isPlanned = false
      void run()
      plan()
    })
  }

  return (question: Question): Promise<Answer> => {
    const asked = Promise.withResolvers<Answer>()
    waiting.push({ question, asked })
    plan()
    return asked.promise
  }
}
