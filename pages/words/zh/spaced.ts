const chinese = /^[\p{Script=Han}\u3000-\u303f\uff01-\uff60]$/u
const isChinese = (character: string | undefined) => character !== undefined && chinese.test(character)

/**
 * Tag of a sentence that has names between blanks, as names of Latin letters need them. Leaves a blank out where Chinese stands on both
 * sides of it, such as after "14 个用户".
 */
export const spaced = (texts: TemplateStringsArray, ...values: string[]): string =>
  texts.reduce((before, after, index) => {
    const value = [...(values[index - 1] ?? '')]
    const left = isChinese(value[0]) ? before.replace(/ $/, '') : before
    return left + value.join('') + (isChinese(value.at(-1)) ? after.replace(/^ /, '') : after)
  })
