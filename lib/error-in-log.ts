/** Where an error of a library says what failed: never a property that may hold rows, parameters or commands. */
const harmless = [
  ...['code', 'errno', 'syscall', 'address', 'port', 'statusCode', 'responseCode', 'command'],
  ...['severity', 'schema', 'table', 'column', 'dataType', 'constraint', 'routine'],
]
/** Causes of causes, and errors in an error, are followed so far. */
const maxDepth = 5

interface Told extends Record<string, unknown> {
  type: string
  message: string
  stack: string
}

const chainOf = (error: Error): Error[] => {
  const chain = [error]
  for (let { cause } = error; cause instanceof Error && chain.length < maxDepth; { cause } = cause) chain.push(cause)
  return chain
}

/**
 * What the log tells of an error: its text, its stack, those of its causes, and the properties that are known to be
 * harmless. Others stay out: a database puts the whole row that it refused into `detail`, with the hash of the password,
 * and Redis puts an object with all arguments into `command`. Only texts and numbers are told, so that one stays out, too.
 */
export const errorInLog = (error: unknown, depth = 0): Told => {
  // Whatever else is thrown has no text and no stack, and shows as it is.
  if (!(error instanceof Error)) return error as Told
  const chain = chainOf(error)
  const told: Told = {
    type: error.constructor.name,
    message: chain.map(({ message }) => message).join(': '),
    stack: chain.map(({ stack }) => stack).join('\ncaused by: '),
  }
  const { errors } = error as { errors?: unknown }
  if (Array.isArray(errors) && depth < maxDepth) {
    told['aggregateErrors'] = errors.map((inner: unknown) => errorInLog(inner, depth + 1))
  }
  for (const name of harmless) {
    const value = (error as unknown as Record<string, unknown>)[name]
    if (typeof value === 'string' || typeof value === 'number') told[name] = value
  }
  return told
}
