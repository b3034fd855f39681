/** Whether whoever must change the password first may call `path` all the same: everything under `/auth`. */
export const maySkipPasswordChange = (path: string): boolean => path.startsWith('/auth/')
