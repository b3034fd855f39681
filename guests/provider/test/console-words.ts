import { join } from 'node:path'
import type { Language } from '../../../test/helpers/browser/pages.js'
import { root } from '../../../test/helpers/processes/project.js'

/** The words that the guest brings to the console. */
export const ownWords = async (language: Language): Promise<Record<string, any>> => {
  const table = (await import(join(root, 'guests/provider/pages/console/words.ts'))) as {
    words: Record<string, any>
    setWords: (language: Language) => void
  }
  table.setWords(language)
  return table.words
}
