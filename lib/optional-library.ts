import { OperatorError } from './operator-error.js'

/**
 * Loads a module whose libraries only some operators install. `libraries` is how the names of these libraries begin. Throws
 * an `OperatorError` with `message`, which says what to install, when one of them is missing.
 */
export const loadOptional = async <T>(load: () => Promise<T>, libraries: string, message: string): Promise<T> => {
  try {
    return await load()
  } catch (error) {
    const { code, message: text } = error as NodeJS.ErrnoException
    if (code !== 'ERR_MODULE_NOT_FOUND' || !text.includes(libraries)) throw error
    throw new OperatorError(message, { cause: error })
  }
}
