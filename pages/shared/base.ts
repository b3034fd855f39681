// In a variable, because Vite would take the expression below for the address of a file.
const here: string = import.meta.url

/** Where the service is, with a slash at the end: the scripts are in `pages/` below it, whatever prefix a proxy takes away. */
export const base = new URL('..', here)

/** The pages that this server has, as it wrote into the document. */
const served = (document.documentElement.dataset['pages'] ?? '').split(' ')
export const hasPage = (name: 'sign-in' | 'account' | 'console'): boolean => served.includes(name)
