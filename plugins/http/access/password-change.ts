/** Whether users who must change their password first may call `path`: they may call all routes under `/auth`. */
export const maySkipPasswordChange = (path: string): boolean => path.startsWith('/auth/')
