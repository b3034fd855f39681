import type { Brought } from '../../../pages/console/guests.js'
import type { Language } from '../../../pages/shared/language/language.js'
import { setWords, words } from './words.js'

export const load = (language: Language): Promise<Brought> => {
  setWords(language)
  return Promise.resolve({ audit: { actions: words.actions, kinds: words.targets } })
}
