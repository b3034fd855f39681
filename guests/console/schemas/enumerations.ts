import { numbers, type Enumeration } from '../../../schemas/enumerations.js'

/** The values of fields that only this front end reads. A field names one by its `title`. */
export const enumerations: Record<'LoginStatus' | 'ResourceType', Enumeration> = {
  LoginStatus: numbers(
    'Outcome of a sign-in',
    { refused: 0, signedIn: 1 },
    { refused: 'refused', signedIn: 'signed in' },
  ),
  ResourceType: numbers('Kind of menu entry', { folder: 1, page: 2 }, { folder: 'folder', page: 'page' }),
}
