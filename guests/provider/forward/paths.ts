import type { ClientSettings } from '../clients/settings.js'

/** Programs behind a proxy decode a path once or twice; what is not plain after so many times nobody reads. */
const maxReadings = 5

const decodeByte = (text: string): string =>
  text.replace(/%([\da-f]{2})/gi, (_, digits: string) => String.fromCharCode(Number.parseInt(digits, 16)))

const decode = (path: string): string => {
  try {
    return decodeURIComponent(path)
  } catch {
    return decodeByte(path)
  }
}

/** Without `..`, empty segments, backslashes and parameters of segments (`;`). */
const resolve = (path: string): string => {
  const segments: string[] = []
  const parts = path
    .replaceAll('\\', '/')
    .split('/')
    .map((part) => part.replace(/;.*$/, ''))
  for (const part of parts) {
    if (part === '..') segments.pop()
    else if (part !== '' && part !== '.') segments.push(part)
  }
  const end = /^(|\.|\.\.)$/.test(parts.at(-1) ?? '') && segments.length > 0 ? '/' : ''
  return `/${segments.join('/')}${end}`
}

/**
 * What a path may be for those who read it: the proxy, and the application behind it. Undefined for one that says something else each time it
 * is decoded.
 */
export const readingsOf = (uri: string): string[] | undefined => {
  const [path = ''] = uri.split(/[?#]/, 1)
  const readings = new Set([path, resolve(path)])
  let last = path
  for (let times = 0; times < maxReadings; times++) {
    const next = decode(last)
    if (next === last) return [...readings]
    readings.add(resolve(next))
    last = next
  }
  return undefined
}

/** Whether a path is written as every program reads it. */
export const isPlainPath = (path: string): boolean =>
  path.startsWith('/') && !/[?#\s]/.test(path) && readingsOf(path)?.length === 1

/** Whether a path is the entry or below it: `/api` holds for `/api/users`, and not for `/apis`. */
const isBelow = (path: string, entry: string): boolean => {
  const above = entry.replace(/\/$/, '')
  return entry.endsWith('/') ? path.startsWith(`${above}/`) : path === above || path.startsWith(`${above}/`)
}

type Rules = Pick<ClientSettings, 'openPaths' | 'pathRoles'>

/** What a path needs beside the application itself: nothing at all (`open`), or one role of each list. */
export interface Requirement {
  isOpen: boolean
  roles: string[][]
}

const requirementOfReading = (path: string, { openPaths, pathRoles }: Rules): Requirement => {
  // Servers that do not tell /Admin from /admin, or /admin from /admin/, must not be opened by it.
  const guarded = pathRoles
    .filter((one) => isBelow(path.toLowerCase(), one.path.toLowerCase().replace(/(?<=.)\/$/, '')))
    .sort((one, other) => other.path.length - one.path.length)
  const [nearest] = guarded
  const open = Math.max(-1, ...openPaths.filter((entry) => isBelow(path, entry)).map((entry) => entry.length))
  if (open > (nearest?.path.length ?? -1)) return { isOpen: true, roles: [] }
  return { isOpen: false, roles: nearest ? [nearest.roles] : [] }
}

/** By the nearest entry of each reading: a path is open only if it is in every one, and needs what any of them needs. */
export const requirementOf = (uri: string, rules: Rules): Requirement => {
  if (rules.openPaths.length === 0 && rules.pathRoles.length === 0) return { isOpen: false, roles: [] }
  const readings = readingsOf(uri)
  if (!readings) return { isOpen: false, roles: rules.pathRoles.map(({ roles }) => roles) }
  const all = readings.map((path) => requirementOfReading(path, rules))
  return { isOpen: all.every(({ isOpen }) => isOpen), roles: all.flatMap(({ roles }) => roles) }
}
