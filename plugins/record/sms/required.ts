import { OperatorError } from '../../../lib/operator-error.js'

/** Checks that no setting of a sender is missing. Throws an `OperatorError` that names the missing ones. */
export const required = <T extends Record<string, unknown>>(
  sender: string,
  settings: T,
): { [K in keyof T]: NonNullable<T[K]> } => {
  const missing = Object.keys(settings).filter((name) => settings[name] === null)
  if (missing.length > 0) {
    const names = missing.map((name) => `sms.${sender}.${name}`).join(', ')
    throw new OperatorError(
      `Rollcall does not start: sms.sender is ${sender}, and ${names} must be set in config.json.`,
    )
  }
  return settings as { [K in keyof T]: NonNullable<T[K]> }
}
