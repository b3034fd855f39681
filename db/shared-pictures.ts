/** Holds each picture once for its user, however many cached values show it. */
export const createSharedPictures = () => {
  /** By user: a new picture may be read while values with the old one are still cached. */
  const held = new Map<number, { text: string; holders: number }[]>()
  let size = 0

  return {
    /** Bytes of all held pictures. */
    size: () => size,

    /** Returns the text to keep in place of an equal one. Call `release` when it is not kept any more. */
    hold(userId: number, text: string): string {
      const ofUser = held.get(userId) ?? []
      const known = ofUser.find((picture) => picture.text === text)
      if (known) {
        known.holders++
        return known.text
      }
      held.set(userId, [...ofUser, { text, holders: 1 }])
      size += text.length
      return text
    },

    release(userId: number, text: string): void {
      const ofUser = held.get(userId) ?? []
      const known = ofUser.find((picture) => picture.text === text)
      if (!known || --known.holders > 0) return
      size -= text.length
      const rest = ofUser.filter((picture) => picture !== known)
      if (rest.length > 0) held.set(userId, rest)
      else held.delete(userId)
    },
  }
}
