import { createContext } from 'preact'
import { useContext } from 'preact/hooks'
import { covers } from '../../client/index.js'
import type { LoginConfig } from '../shared/shell/begin.js'
import { base } from '../shared/base.js'
import type { Me } from '../shared/session/entered.js'

export interface Account {
  config: LoginConfig
  me: Me
  /** After a change of the profile. */
  setMe: (me: Me) => void
}

const AccountContext = createContext<Account | undefined>(undefined)
export const AccountProvider = AccountContext.Provider

export const useAccount = (): Account => {
  const account = useContext(AccountContext)
  if (!account) throw new Error('This component stands inside an AccountProvider')
  return account
}

/** Whether the person may change the accounts of others. The own one is for another administrator even then. */
export const mayEditOthers = ({ permissions }: Me): boolean => permissions.some(covers('system:user:edit'))

/** The address of a page of the account; the profile is `''`. */
export const addressOf = (page: string): string => `${base.pathname}account${page && `/${page}`}`
