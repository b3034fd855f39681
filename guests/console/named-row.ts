import { isProblem, problem } from '../../lib/problem.js'
import { rules } from './rules.js'

/**
 * Runs a request that names a user or a session in `field`. The front end shows only `message`, and that of `not_found` speaks of
 * an address: a violation says that it is the row which does not exist.
 */
export const namesRow = async <T>(work: () => Promise<T>, field = 'id'): Promise<T> => {
  try {
    return await work()
  } catch (error) {
    if (!isProblem(error) || error.code !== 'not_found' || error.details.faults) throw error
    throw problem('not_found', { faults: [{ field, rule: rules.unknownRow }] })
  }
}
