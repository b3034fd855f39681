/** A picture as it is decoded: `file` is written anew and has only what was read here, so that the decoder finds no other size. */
export interface Picture {
  /** Pixels. */
  width: number
  height: number
  /** Pixels that a picture of this kind may have, as the side of a square. */
  maxSide: number
  file: Buffer
}

/** Undefined for a file that is not exactly as its format says: a decoder forgives more, and may then read another size. */
export type ReadPicture = (file: Buffer) => Picture | undefined

/** A decoded picture takes four bytes for each pixel, 64 MiB. While it is decoded it may take as much again twice. */
export const usualMaxSide = 4096
