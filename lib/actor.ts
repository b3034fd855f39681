import { userInfo } from 'node:os'
import { callerOf } from './caller-of.js'

/** Who makes a change, and from where: a signed-in user, or somebody at the command line of this machine. */
export interface Actor<Caller> {
  /** Undefined for a command. */
  caller: Caller | undefined
  /** The user of the operating system, for a command. */
  operator?: string
  address: string
  userAgent: string
}

/** The actor of a request to a route that is not open. */
export const actorOf = <Caller>(request: {
  caller: Caller | undefined
  clientContext: { address: string; userAgent: string }
}): Actor<Caller> => {
  const { address, userAgent } = request.clientContext
  return { caller: callerOf(request), address, userAgent }
}

const operatorName = (): string => {
  try {
    return userInfo().username
  } catch {
    // In a container the user may have a number only.
    return `uid ${process.getuid?.() ?? '?'}`
  }
}

/** The actor of a command. */
export const operatorActor = (): Actor<never> => ({
  caller: undefined,
  operator: operatorName(),
  address: '',
  userAgent: '',
})
