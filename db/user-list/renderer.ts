import type { ListedUser } from './listed-user.js'

/** A module that makes text of users, such as the JSON of a record: always the same text of the same user. */
export interface Renderer {
  render: (user: ListedUser) => string
  /** The address of the module itself, by which worker threads import it. */
  module: string
}

const comma = Buffer.from(',')

/** Texts one after the other, with commas between them. */
export const joinTexts = (texts: Uint8Array[]): Buffer =>
  Buffer.concat(texts.flatMap((text, index) => (index === 0 ? [text] : [comma, text])))
