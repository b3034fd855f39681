/** The texts of all users whose ids lie in one stretch of numbers, in one piece of memory. */
export interface Stretch {
  /** Where the place of each begins, and where the last one ends. */
  starts: Uint32Array<ArrayBuffer>
  /** How long the text of each is; 0 where there is none. Bytes. */
  lengths: Uint16Array<ArrayBuffer>
  bytes: Uint8Array<ArrayBuffer>
}

/** So many numbers are a stretch. */
export const stretchLength = 16_384
const longestText = 2 ** 16 - 1
/** Room for a text to grow by, such as a counter by a digit. Bytes. */
const spare = 16
/** UTF-8 takes no more for a UTF-16 unit. */
const bytesPerUnit = 3

export const stretchOf = (id: number): number => Math.floor(id / stretchLength)

/** Makes a stretch of texts, which come in the order of their ids. */
export const createStretch = (number: number, texts: Iterable<[id: number, text: string]>): Stretch => {
  const starts = new Uint32Array(stretchLength + 1)
  const lengths = new Uint16Array(stretchLength)
  let bytes = Buffer.allocUnsafeSlow(2 ** 20)
  let end = 0
  let next = 0
  for (const [id, text] of texts) {
    const room = text.length * bytesPerUnit + spare
    if (room > longestText) continue
    if (end + room > bytes.length) bytes = Buffer.concat([bytes], bytes.length * 2)
    const index = id - number * stretchLength
    starts.fill(end, next, index + 1)
    const length = bytes.write(text, end)
    lengths[index] = length
    end += length + spare
    next = index + 1
  }
  starts.fill(end, next)
  // A copy of what is used, without the room behind it.
  return { starts, lengths, bytes: new Uint8Array(bytes.subarray(0, end)) }
}

/** Resident bytes of a stretch. */
export const bytesOf = ({ starts, lengths, bytes }: Stretch): number =>
  starts.byteLength + lengths.byteLength + bytes.byteLength

/** How long the text of a user is; 0 when it is not there. */
export const lengthOf = ({ lengths }: Stretch, id: number): number => lengths[id % stretchLength] ?? 0

/** Copies the text of a user to `target` at `position`; returns where it ends. */
export const copyText = ({ starts, lengths, bytes }: Stretch, id: number, target: Buffer, position: number): number => {
  const index = id % stretchLength
  const start = starts[index] ?? 0
  const length = lengths[index] ?? 0
  target.set(bytes.subarray(start, start + length), position)
  return position + length
}

/** Puts the text of a user into its place, if it fits there. */
export const putText = ({ starts, lengths, bytes }: Stretch, id: number, text: Uint8Array): void => {
  const index = id % stretchLength
  const start = starts[index] ?? 0
  if (text.length > (starts[index + 1] ?? 0) - start || text.length > longestText) return
  bytes.set(text, start)
  lengths[index] = text.length
}

export const removeText = ({ lengths }: Stretch, id: number): void => {
  lengths[id % stretchLength] = 0
}
