import { createContext } from 'preact'
import { useContext, useEffect, useRef, useState } from 'preact/hooks'
import type { Operations, RollcallError } from '../../client/index.js'
import { base } from '../shared/base.js'
import {
  begin,
  client,
  findObstacle,
  handOver,
  onSignedOutElsewhere,
  signInWindow,
  stayInTab,
  tellSignedIn,
} from '../shared/session/client.js'
import { isRefusal, type Fault } from '../shared/session/fault.js'
import { giveToOpener, takesToken, type Obstacle } from '../shared/session/tab.js'
import { arrival } from './arrival.js'
import { endOf } from './end.js'

export type LoginConfig = Operations['GET /auth/loginConfig']['data']
type SignInBody = Operations['POST /auth/login']['body']
export type SignedIn = Operations['POST /auth/login']['data']

/** A ticket that admits to the next step, and until when. */
export interface Ticket {
  ticket: string
  methods: string[]
  end: Date
  /** For how many days the browser may be trusted; 0 means that it may not. */
  trustDays: number
  /** The masked contact that has to be proved before a first factor is set up. */
  contact: string | undefined
  /** What the person has typed as a name; undefined after a passkey or an identity provider. */
  name: string | undefined
}

export type Step =
  | { kind: 'start'; fault?: Fault }
  /** Who is signed in already goes on at once. */
  | { kind: 'resumed' }
  /** An application waits for an answer of who is signed in already. */
  | { kind: 'asked'; signedIn: SignedIn }
  | ({ kind: 'factor' } & Ticket)
  | ({ kind: 'setUp' } & Ticket)
  | { kind: 'codes'; recoveryCodes: string[]; signedIn: SignedIn }
  | { kind: 'change'; signedIn: SignedIn; password: string | undefined }
  /** With what keeps the page that follows from knowing the person, and where that is. */
  | { kind: 'done'; signedIn: SignedIn; obstacle?: Obstacle | undefined; target?: string | undefined }

/** What the person has typed before, for what follows. */
export interface Typed {
  name?: string
  password?: string
  /** Whether the person has just chosen a password. */
  hasNewPassword?: boolean
  /** Whether a recovery code was the second step. */
  isRecovered?: boolean
}

const ticketOf = ({ data }: RollcallError, name: string | undefined): Ticket => ({
  ticket: String(data['ticket']),
  methods: Array.isArray(data['methods']) ? data['methods'].map(String) : [],
  end: new Date(Date.now() + Number(data['expiresIn']) * 1000),
  trustDays: Number(data['trustDays'] ?? 0),
  contact: (data['contact'] as { masked: string } | undefined)?.masked,
  name,
})

/** What the history of the browser has for a step after the start. */
const stepState = 'step'

/** The steps of a sign-in, whichever way it begins. */
export const useFlow = (config: LoginConfig, tenantId: number | undefined, resumed: SignedIn | undefined) => {
  const isHere = location.pathname === `${base.pathname}sign-in` && arrival?.asksAgain !== true
  const asked = isHere && arrival?.ask && resumed?.forcePasswordChange === false ? resumed : undefined
  const goesOn = isHere && resumed !== undefined && !asked
  const [step, setStep] = useState<Step>(
    asked ? { kind: 'asked', signedIn: asked } : { kind: goesOn ? 'resumed' : 'start' },
  )
  const [typed, setTyped] = useState<Typed>({})
  const end = useRef<string | undefined>(undefined)

  // Going back in the browser leads to the start: a step is no address, because its ticket must not be in one.
  const enter = (next: Step): void => {
    if (step.kind === 'start' && next.kind !== 'start') history.pushState(stepState, '', location.href)
    setStep(next)
  }
  useEffect(() => {
    const leave = () => setStep({ kind: 'start' })
    const goBack = () => (end.current === undefined ? leave() : location.replace(end.current))
    addEventListener('popstate', goBack)
    const stop = onSignedOutElsewhere(leave)
    return () => {
      removeEventListener('popstate', goBack)
      stop()
    }
  }, [])

  /** Goes on in the place of this page and its steps: the way back in the browser would lead here, and on again. */
  const goOn = (target: string): void => {
    end.current = target
    if (history.state === stepState) history.back()
    else location.replace(target)
  }

  const finish = async (
    signedIn: SignedIn,
    { password, hasNewPassword = false, isRecovered = false }: Typed,
  ): Promise<void> => {
    begin(signedIn)
    if (signedIn.forcePasswordChange) {
      enter({ kind: 'change', signedIn, password })
      return
    }
    // What a cookie has brought back is kept. Where the question is not answered, the next page asks itself.
    const isResumed = step.kind === 'resumed'
    const obstacle = isResumed ? undefined : await findObstacle().catch(() => undefined)
    if (obstacle) stayInTab(obstacle)
    else tellSignedIn()
    // Another page waits for this sign-in.
    if (window.name === signInWindow) {
      if (obstacle) giveToOpener({ token: signedIn.accessToken, obstacle })
      window.close()
      return
    }
    const target = endOf(signedIn.userInfo.permissions, {
      hasNewPassword: isResumed ? undefined : hasNewPassword,
      isRecovered,
    })
    const isKnown = !obstacle || (target !== undefined && takesToken(target) && handOver())
    if (target === undefined || !isKnown) enter({ kind: 'done', signedIn, obstacle, target })
    else goOn(target)
  }

  useEffect(() => {
    if (goesOn) void finish(resumed, {})
    else if (asked) begin(asked)
  }, [])

  return {
    config,
    tenant: tenantId === undefined ? {} : { tenantId },
    step,
    typed,
    /** Who is signed in in this browser until somebody else has taken their place. */
    present: resumed?.userInfo.username,
    enter,
    finish,
    goOn,
    restart: (fault?: Fault) => setStep({ kind: 'start', ...(fault && { fault }) }),

    /** Signs in and goes on to what follows. Throws a `RollcallError` for whatever is no further step. */
    signIn: async (body: SignInBody, more: Typed = {}): Promise<void> => {
      const known = { ...typed, ...more, isRecovered: body.authType === 'recovery' }
      setTyped(known)
      try {
        const request = { ...body, ...(tenantId === undefined ? {} : { tenantId }) }
        await finish(await client.signIn(request), known)
      } catch (error) {
        if (isRefusal(error, 'second_factor_required')) enter({ kind: 'factor', ...ticketOf(error, known.name) })
        else if (isRefusal(error, 'second_factor_setup_required'))
          enter({ kind: 'setUp', ...ticketOf(error, known.name) })
        else throw error
      }
    },

    /** Goes on after the enrolment of a factor has started a session. */
    async enrolled(signedIn: SignedIn, recoveryCodes: string[] | undefined): Promise<void> {
      begin(signedIn)
      if (recoveryCodes) enter({ kind: 'codes', recoveryCodes, signedIn })
      else await finish(signedIn, typed)
    },
  }
}

export type Flow = ReturnType<typeof useFlow>

const FlowContext = createContext<Flow | undefined>(undefined)
export const FlowProvider = FlowContext.Provider

export const useSignIn = (): Flow => {
  const flow = useContext(FlowContext)
  if (flow === undefined) throw new Error('This component stands inside a FlowProvider')
  return flow
}
