/**
 * Whether users who must change their password first may call `path`: they may call the routes under `/auth`, except those
 * that change the account.
 */
export const maySkipPasswordChange = (path: string): boolean =>
  path.startsWith('/auth/') && !path.startsWith('/auth/profile')
