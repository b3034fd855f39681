/** Texts that get a name. Filters and sort columns multiply into many, and a server keeps each for each connection. */
const maxNames = 500

/** Names for the texts of statements: a statement with a name is parsed once by each connection. */
export const createStatementNames = () => {
  const names = new Map<string, string>()
  let count = 0
  return {
    /** The name of a text; undefined when there are enough names already. */
    of(text: string): string | undefined {
      const known = names.get(text)
      if (known !== undefined || names.size >= maxNames) return known
      const name = `rollcall_${++count}`
      names.set(text, name)
      return name
    },
  }
}

export type StatementNames = ReturnType<typeof createStatementNames>
