import { hostKey, originOf } from './hosts.js'

/** Addresses of protected hosts at which Rollcall itself answers. On its own host they are below its own path. */
export const createPlaces = (issuer: string) => {
  const { protocol, host } = new URL(issuer)
  const own = hostKey(protocol.slice(0, -1), host)
  const at = (key: string, name: string): string =>
    `${key === own ? issuer.replace(/\/$/, '') : originOf(key)}/.rollcall/${name}`
  return {
    /** Whether it is the host of the service itself, where the page session is enough. */
    isOwn: (key: string): boolean => key === own,
    signIn: (key: string): string => at(key, 'sign-in'),
    signOut: (key: string): string => at(key, 'sign-out'),
    callback: (key: string): string => at(key, 'callback'),
  }
}

export type Places = ReturnType<typeof createPlaces>
