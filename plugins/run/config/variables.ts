import { nearestName } from '../../../lib/edit-distance.js'
import { environment } from '../../../schemas/environment.js'
import type { Fault } from './settings.js'

/** The value of a variable; a blank one is absent. */
export const readVariable = (variables: NodeJS.ProcessEnv, name: string): string | undefined => {
  const value = variables[name]
  return value === undefined || value.trim() === '' ? undefined : value
}

const serviceName = /_SERVICE_(HOST|PORT(_[A-Z0-9_]+)?)$|_PORT_\d+_(TCP|UDP|SCTP)(_(PROTO|PORT|ADDR))?$/
const serviceAddress = /^(tcp|udp|sctp):\/\//

/**
 * Without the variables that Kubernetes adds for each service of a namespace: for one called `rollcall` or `metrics`, for example,
 * `ROLLCALL_SERVICE_HOST` and `METRICS_PORT=tcp://10.0.0.11:9464`.
 */
export const withoutServices = (variables: NodeJS.ProcessEnv): NodeJS.ProcessEnv =>
  Object.fromEntries(
    Object.entries(variables).filter(
      ([name, value = '']) => !serviceName.test(name) && !(name.endsWith('_PORT') && serviceAddress.test(value)),
    ),
  )

/** The variables that hold a secret, or an address with one. */
export const secretNames = environment.filter(({ isSecret }) => isSecret).map(({ name }) => name)
/** The variable that names a file with the value of another one. */
export const fileVariableOf = (name: string): string => `${name}_FILE`

const fileVariables = secretNames.map(fileVariableOf)
const names = [...environment.map(({ name }) => name), ...fileVariables]
/** Shorter ones, `HOST` and `PORT`, are one letter from too many names of other programs. */
const distinctive = names.filter((name) => name.includes('_'))

/** Whoever sets it believes that a file is read, which would be ignored without a word. */
const isFileOfOurs = (name: string): boolean =>
  name.endsWith(fileVariableOf('')) &&
  environment.some(
    (known) => name === fileVariableOf(known.name) || (known.name.includes('_') && name.startsWith(`${known.name}_`)),
  )

/** Variables that begin like ours, or are one typing error away from one of ours, and are none. */
export const unknownVariables = (variables: NodeJS.ProcessEnv): Fault[] =>
  Object.keys(variables).flatMap((name) => {
    if (names.includes(name) || name.startsWith('ROLLCALL_TEST_')) return []
    const meant = nearestName(name, distinctive, () => 1)
    const fault = (message: string) => [{ name, source: 'environment', message }]
    if (meant === undefined && isFileOfOurs(name))
      return fault(`is not a variable of Rollcall; a file may be named by ${fileVariables.join(', ')}`)
    if (name.startsWith('ROLLCALL_')) {
      return fault(`is not a variable of Rollcall${meant === undefined ? '' : `; is ${meant} meant?`}`)
    }
    // Where the right one is set, the other one belongs to another program.
    if (meant === undefined || variables[meant] !== undefined) return []
    return fault(
      `is not a variable of Rollcall. If ${meant} is meant, correct the name; if not, set ${meant}, too, or unset ${name}`,
    )
  })
