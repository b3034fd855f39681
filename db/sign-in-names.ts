import type { User } from './repositories/users.js'

/** The names under which a user can sign in; the phone number in E.164 form, under which its failures are counted. */
export const signInNames = ({ username, phoneKey, email }: User): string[] =>
  [username, phoneKey, email].filter((name) => name !== null)
