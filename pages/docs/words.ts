import type { DocsWords } from '../words/en/docs.js'
import { language, type Language } from '../shared/language/language.js'
import { setFrameWords } from '../shared/language/frame-words.js'

/** Each in a file of its own: only one is loaded. A further language is one more line. */
const tables = {
  en: () => import('../words/en/docs.js'),
  zh: () => import('../words/zh/docs.js'),
} satisfies Record<Language, unknown>

export let words: DocsWords

export const loadWords = async (): Promise<void> => {
  const table = await tables[language]()
  words = table.words
  setFrameWords(table.frame)
}
