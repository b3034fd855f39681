/** For sentences: `1 user`, `2,000 users`. */
export const countOf = (number: number, noun: string): string =>
  `${number.toLocaleString('en')} ${noun}${number === 1 ? '' : 's'}`
