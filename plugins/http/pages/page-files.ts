import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Type, type Static } from '@sinclair/typebox'
import { jsonReader } from '../../../lib/json-reader.js'

const fileName = Type.String({ pattern: '^[\\w-]+\\.(js|css)$' })

/** The files that a page needs at once, by their names with hashes. */
const PageFiles = Type.Object({
  script: fileName,
  /** What the script imports. */
  imports: Type.Array(fileName),
  style: fileName,
  /** The words of each language, and what they import. */
  words: Type.Object({ en: Type.Array(fileName), zh: Type.Array(fileName) }),
})
export type PageFiles = Static<typeof PageFiles>

const read = jsonReader(Type.Record(Type.String(), PageFiles))

/** Reads what `scripts/build-pages.js` has written, when the first page is asked for. */
export const createPageFiles = (folder: string) => {
  let known: Promise<Record<string, PageFiles>> | undefined
  const load = async () => {
    const files = read(await readFile(join(folder, 'pages.json'), 'utf8'))
    if (!files) throw new Error(`${folder}/pages.json is damaged: build it anew`)
    return files
  }
  return async (page: string): Promise<PageFiles> => {
    // A failure is not remembered.
    known ??= load().catch((error: unknown) => {
      known = undefined
      throw error
    })
    const files = (await known)[page]
    if (!files) throw new Error(`${folder} has no page ${page}: build it anew`)
    return files
  }
}
