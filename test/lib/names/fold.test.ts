import { test } from 'tap'
import { fold } from '../../../db/fold.js'
import { createRandom } from '../../helpers/values/random.js'

const hex = (text: string) => [...text].map((character) => character.codePointAt(0)?.toString(16)).join(' ')
const isSurrogate = (point: number) => point >= 0xd800 && point <= 0xdfff

function* everyCharacter(): Generator<string> {
  for (let point = 0; point <= 0x10ffff; point++) if (!isSurrogate(point)) yield String.fromCodePoint(point)
}

/** What is not the same in whatever case or form of normalisation it is written, or when it is folded again. */
const isUnstable = (text: string): boolean => {
  const folded = fold(text)
  const spellings = [folded, text.toUpperCase(), text.toLowerCase(), text.normalize('NFD'), text.normalize('NFKC')]
  return spellings.some((spelling) => fold(spelling) !== folded)
}

test('every character of Unicode is folded once and for all, however it is written', (t) => {
  t.strictSame([...everyCharacter()].filter(isUnstable).map(hex), [])
  t.end()
})

test('so are sequences of letters and marks', (t) => {
  const letters = [...everyCharacter()].filter((character) => {
    const hasCase = character.toLowerCase() !== character.toUpperCase()
    return hasCase || character.normalize('NFKC') !== character || /\p{M}/u.test(character)
  })
  const random = createRandom(25)
  const texts = Array.from({ length: 100_000 }, () =>
    Array.from({ length: 2 + random.below(4) }, () => random.pick(letters)).join(''),
  )
  // Case alone is not looked at: that of a letter may depend on the next.
  t.strictSame(texts.filter((text) => fold(fold(text)) !== fold(text)).map(hex), [])
  t.end()
})

test('spellings that are one name', (t) => {
  for (const name of ['straße', 'STRASSE', 'STRAẞE', 'straẞe', 'ｓｔｒａßｅ']) t.equal(fold(name), 'strasse', name)
  for (const name of ['ΟΔΟΣ', 'οδος', 'οδοσ']) t.equal(fold(name), 'οδοσ', name)
  t.not(fold('strase'), fold('straße'))
  t.end()
})
