// Control and format characters could turn the text around them or hide in it. The joiners belong to scripts and emoji.
export const hidden = /(?![\u200c\u200d])[\p{Cc}\p{Cf}]/gu

/** A text of people or of the configuration with its invisible characters written out. */
export const visible = (text: string): string =>
  text.replace(
    hidden,
    (character) => `⟨U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}⟩`,
  )

/** A name that turns no text around it, whatever its direction. */
export const Name = ({ text }: { text: string }) => <bdi>{visible(text)}</bdi>

/** The same, to stand out in a sentence. */
export const BoldName = ({ text }: { text: string }) => (
  <b>
    <Name text={text} />
  </b>
)

/** Up to two letters that stand for a name where there is no picture. */
export const initials = (name: string): string => {
  const words = name.normalize().match(/[\p{L}\p{N}]+/gu) ?? []
  const letters = words.length > 1 ? words.slice(0, 2).map(([first = '']) => first) : [...(words[0] ?? '?')].slice(0, 2)
  // One character of Chinese, Japanese or Korean is as wide as two letters.
  return (
    /^[\p{Script=Han}\p{Script=Hangul}\p{Script=Hiragana}]/u.test(letters[0] ?? '') ? letters.slice(0, 1) : letters
  )
    .join('')
    .toUpperCase()
}
