import { userInfo } from 'node:os'
import { callerOf } from './caller-of.js'

/** Who makes a change, and from where: a signed-in user, or somebody at the command line of this machine. */
export interface Actor<Caller> {
  /** Undefined for a command, and for somebody without a session. */
  caller: Caller | undefined
  /** A user who has no session, but has proved with a code to own the account. */
  owner?: { id: number; username: string }
  /** The user of the operating system, for a command. */
  operator?: string
  address: string
  userAgent: string
  /** The header `Accept-Language` of a request. */
  acceptLanguage?: string | undefined
}

/** Where a request comes from. */
export type ActorSource = Pick<Actor<unknown>, 'address' | 'userAgent' | 'acceptLanguage'>

/** The actor of a request to a route that is not open. */
export const actorOf = <Caller>(request: { caller: Caller | undefined; clientContext: ActorSource }): Actor<Caller> =>
  actorOfCaller(callerOf(request), request.clientContext)

/** The actor of a call by a signed-in user. */
export const actorOfCaller = <Caller>(
  caller: Caller,
  { address, userAgent, acceptLanguage }: ActorSource,
): Actor<Caller> => ({ caller, address, userAgent, acceptLanguage })

/** A user who acts for the own account without a session. */
export const actorWithoutSession = (
  { id, username }: { id: number; username: string },
  { address, userAgent }: ActorSource,
): Actor<never> => ({ caller: undefined, owner: { id, username }, address, userAgent })

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
