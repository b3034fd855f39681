/**
 * What tokens, sessions and accounts do, as docs/sign-in.md and SECURITY.md say it, without a database: a token works exactly
 * when this model says so. Times are epoch milliseconds.
 */

export const clients = {
  pc: { accessTtl: 600, idleTtl: 3600, maxTtl: 14_400, maxSessions: 2, onLimit: 'replace' },
  app: { accessTtl: 300, idleTtl: 1200, maxTtl: 7200, maxSessions: 1, onLimit: 'reject' },
} as const
export type Client = keyof typeof clients

/** An old token is good for so long after the first use of its successor, or while the successor is not used. */
const overlap = { used: 10_000, unused: 300_000 }
/** Activity is stored once in this time, or in a twentieth of the idle time. */
const touchInterval = 60_000

export interface ModelUser {
  username: string
  tenant: number
  password: string
  status: number
  bannedUntil: number
  /** Whether the user has the role that may list users. */
  mayList: boolean
}

export interface ModelSession {
  user: ModelUser
  client: Client
  start: number
  end: number
  idleEnd: number
  lastActive: number
  isEnded: boolean
  generation: number
  generationTime: number
  /** First use of the current generation, and of the one before. */
  firstUse: number | null
  previousFirstUse: number | null
}

export interface ModelToken {
  text: string
  session: ModelSession
  generation: number
  expiry: number
}

export const createModel = (users: ModelUser[], start: number) => {
  const sessions: ModelSession[] = []
  const tokens: ModelToken[] = []
  const disabledTenants = new Set<number>()
  let now = start

  const isLive = (session: ModelSession) => !session.isEnded && now < session.end && now < session.idleEnd
  const liveOf = (user: ModelUser, client: Client) =>
    sessions.filter((session) => session.user === user && session.client === client && isLive(session))
  const isActive = (user: ModelUser) => user.status === 1 && !disabledTenants.has(user.tenant)

  const touch = (session: ModelSession) => {
    session.lastActive = now
    session.idleEnd = now + clients[session.client].idleTtl * 1000
  }

  /** Whether a token of this generation is good; using an old one later shows theft and ends the session. */
  const generationOf = (session: ModelSession, generation: number): 'current' | 'previous' | 'refused' | 'stolen' => {
    const age = session.generation - generation
    const isRecent = (firstUse: number | null) => firstUse !== null && now <= firstUse + overlap.used
    if (age === 0) return 'current'
    if (age === 1 && session.firstUse === null)
      return now <= session.generationTime + overlap.unused ? 'previous' : 'refused'
    if (age === 1 && isRecent(session.firstUse)) return 'previous'
    return age === 2 && isRecent(session.previousFirstUse) ? 'previous' : 'stolen'
  }

  /** The standing of a token, without its own lifetime. */
  const standingOf = ({ session, generation }: ModelToken) => {
    if (!isLive(session) || !isActive(session.user)) return 'refused'
    const standing = generationOf(session, generation)
    if (standing === 'stolen') session.isEnded = true
    return standing === 'stolen' ? 'refused' : standing
  }

  return {
    users,
    sessions,
    tokens,
    disabledTenants,
    now: () => now,
    advance(seconds: number) {
      now += seconds * 1000
    },

    canSignIn: (user: ModelUser, client: Client) =>
      isActive(user) &&
      now >= user.bannedUntil &&
      !(clients[client].onLimit === 'reject' && liveOf(user, client).length >= clients[client].maxSessions),

    addToken(session: ModelSession, text: string, expiresIn: number) {
      const { generation } = session
      if (tokens.some((token) => token.text === text)) return
      tokens.push({ text, session, generation, expiry: Math.floor(now / 1000) * 1000 + expiresIn * 1000 })
    },

    signedIn(user: ModelUser, client: Client): ModelSession {
      const live = liveOf(user, client).sort((one, other) => other.start - one.start)
      for (const replaced of live.slice(clients[client].maxSessions - 1)) replaced.isEnded = true
      const { idleTtl, maxTtl } = clients[client]
      const times = { start: now, end: now + maxTtl * 1000, idleEnd: now + idleTtl * 1000, lastActive: now }
      const first = { generation: 1, generationTime: now, firstUse: null, previousFirstUse: null }
      const session: ModelSession = { user, client, ...times, isEnded: false, ...first }
      sessions.push(session)
      return session
    },

    /** Whether a request with the token is admitted, and what that changes. */
    use(token: ModelToken): boolean {
      const { session } = token
      if (now >= token.expiry) return false
      const standing = standingOf(token)
      if (standing === 'refused') return false
      if (standing === 'current' && session.generation > 1) session.firstUse ??= now
      const interval = Math.min(touchInterval, (clients[session.client].idleTtl * 1000) / 20)
      if (now - session.lastActive >= interval) touch(session)
      return true
    },

    /** Whether the token is exchanged; the session is then in its new generation. */
    refresh(token: ModelToken): boolean {
      const { session } = token
      const standing = standingOf(token)
      if (standing === 'refused') return false
      if (standing === 'current') {
        session.generation += 1
        session.generationTime = now
        session.previousFirstUse = session.firstUse ?? now
        session.firstUse = null
      }
      touch(session)
      return true
    },

    endSessions(of: (session: ModelSession) => boolean) {
      for (const session of sessions) if (of(session)) session.isEnded = true
    },
  }
}

export type Model = ReturnType<typeof createModel>
