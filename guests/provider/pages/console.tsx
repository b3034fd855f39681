import type { Brought } from '../../../pages/console/guests.js'
import { later } from '../../../pages/console/later.js'
import type { Language } from '../../../pages/shared/language/language.js'
import { setWords as setConsoleWords, words as consoleWords } from './console/words.js'
import { setWords, words } from './words.js'

const Applications = later(async () => (await import('./console/list.js')).Applications)
const ApplicationRoom = later(async () => (await import('./console/room.js')).ApplicationRoom)

export const load = (language: Language): Promise<Brought> => {
  setWords(language)
  setConsoleWords(language)
  const needs = 'system:client:list'
  return Promise.resolve({
    rooms: [
      { path: 'applications', text: consoleWords.title, group: 'directory', needs, component: Applications },
      { path: 'applications/:id', needs, component: ApplicationRoom },
    ],
    permissions: { resource: consoleWords.title, words: consoleWords.permissions },
    audit: { actions: words.actions, kinds: words.targets },
  })
}
