import type { User } from './repositories/users.js'

/** What a user can be named by when signing in; phone numbers in the one form under which tries are counted. */
export const signInNames = ({ username, phoneKey, email }: User): string[] =>
  [username, phoneKey, email].filter((name) => name !== null)
