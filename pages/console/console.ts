import { createContext } from 'preact'
import { useContext } from 'preact/hooks'
import { covers, type Permission } from '../../client/index.js'
import { base, hasPage } from '../shared/base.js'
import type { Me } from '../shared/session/entered.js'
import type { LoginConfig } from '../shared/shell/begin.js'
import type { Room } from './room.js'

export interface Console {
  config: LoginConfig
  me: Me
  /** The pages that the permissions of the person open. */
  rooms: Room[]
  /** Whether the person has a permission. What somebody may not do is not offered. */
  may: (permission: Permission) => boolean
  /** Whether the person may change an account, as far as a page can know: the permissions of the user are the server's to compare. */
  mayChange: (user: Pick<Me, 'userType'> & { id: number }) => boolean
  /** Why somebody can be sent no invitation, as far as a page can know: the service knows whether there is a password. */
  whyNotInvite: (user: Invitee) => WhyNot | undefined
  /** Whether invitations lead to no page, because `publicUrl` is not set. */
  lacksLink: boolean
}

type WhyNot = 'has_signed_in' | 'not_enabled' | 'not_reached'

interface Invitee {
  userStatus: number
  lastLoginTime: string | null
  email: string | null
  phone: string | null
}

/** `all` are the pages of the console. */
export const consoleOf = (config: LoginConfig, me: Me, all: readonly Room[]): Console => {
  const may = (permission: Permission): boolean => me.permissions.some(covers(permission))
  return {
    config,
    me,
    may,
    rooms: all.filter(({ needs }) => needs === undefined || may(needs)),
    mayChange: ({ id, userType }) => id !== me.userId && userType >= me.userType,
    whyNotInvite: ({ userStatus, lastLoginTime, ...contacts }) => {
      if (lastLoginTime !== null) return 'has_signed_in'
      if (userStatus !== 1) return 'not_enabled'
      return config.resetChannels.some((channel) => contacts[channel] !== null) ? undefined : 'not_reached'
    },
    lacksLink: config.publicUrl === null && hasPage('sign-in'),
  }
}

const ConsoleContext = createContext<Console | undefined>(undefined)
export const ConsoleProvider = ConsoleContext.Provider

export const useConsole = (): Console => {
  const value = useContext(ConsoleContext)
  if (!value) throw new Error('This component stands inside a ConsoleProvider')
  return value
}

/** The address of a page of the console; the overview is `''`. */
export const addressOf = (page: string): string => `${base.pathname}console${page && `/${page}`}`
