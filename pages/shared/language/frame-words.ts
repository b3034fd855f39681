import type { FrameWords } from '../../words/en/frame.js'

/** The words of the shared parts, in the language of the page. */
export let frame: FrameWords

/** Called once, before anything is shown. */
export const setFrameWords = (words: FrameWords): void => void (frame = words)
