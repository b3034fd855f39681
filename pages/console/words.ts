import type { ConsoleWords } from '../words/en/console.js'
import { setQuestionWords } from '../shared/ask/words.js'
import { language, type Language } from '../shared/language/language.js'
import { setFrameWords } from '../shared/language/frame-words.js'
import { loadConsoleGuests } from './guests.js'

/** Each in a file of its own: only one is loaded. A further language is one more line. */
const tables = {
  en: () => import('../words/en/console.js'),
  zh: () => import('../words/zh/console.js'),
} satisfies Record<Language, unknown>

/** A table for each room. */
export let words: ConsoleWords

export const loadWords = async (): Promise<void> => {
  const [table] = await Promise.all([tables[language](), loadConsoleGuests()])
  words = table.words
  setFrameWords(table.frame)
  setQuestionWords(table.questions)
}
