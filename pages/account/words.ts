import type { AccountWords } from '../words/en/account.js'
import { setQuestionWords } from '../shared/ask/words.js'
import { language, type Language } from '../shared/language/language.js'
import { setFrameWords } from '../shared/language/frame-words.js'
import { loadAccountGuests } from './guests.js'

/** Each in a file of its own: only one is loaded. A further language is one more line. */
const tables = {
  en: () => import('../words/en/account.js'),
  zh: () => import('../words/zh/account.js'),
} satisfies Record<Language, unknown>

export let words: AccountWords

export const loadWords = async (): Promise<void> => {
  const [table] = await Promise.all([tables[language](), loadAccountGuests()])
  words = table.words
  setFrameWords(table.frame)
  setQuestionWords(table.questions)
}
