import { numbers, words, type Enumeration } from '../../schemas/enumerations.js'

/** The values of fields that only this front end reads. A field names one by its `title`. */
export const enumerations: Record<'LoginStatus' | 'MenuType', Enumeration> = {
  LoginStatus: numbers(
    'Outcome of a sign-in',
    { refused: 0, signedIn: 1 },
    { refused: 'refused', signedIn: 'signed in' },
  ),
  MenuType: words('Kind of menu entry', { M: 'folder', C: 'page' }),
}
