/** What people do first; all other paths follow in the order of their files. */
const first = [
  '/auth/login',
  '/auth/userInfo',
  '/auth/current/permissions',
  '/auth/refreshToken',
  '/auth/logout',
  '/auth/changePassword',
  '/auth/loginConfig',
  '/auth/captcha',
]

/** The paths of the document, in the order in which Swagger UI shows them. */
export const inOrder = <T>(paths: Record<string, T>): Record<string, T> => {
  const placeOf = (path: string) => (first.includes(path) ? first.indexOf(path) : first.length)
  return Object.fromEntries(Object.entries(paths).sort(([one], [other]) => placeOf(one) - placeOf(other)))
}
