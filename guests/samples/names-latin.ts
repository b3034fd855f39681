import { byRank, byRankSlowly, createPicker, type Draws } from './draws.js'

/** Some of the most frequent names of several countries, the most frequent first. */
const surnames =
  'Smith Johnson Müller García Williams Nguyen Brown Martin Jones Rodríguez Rossi Silva Davis Miller Schmidt Kim Wilson ' +
  'Bernard Lee Anderson Dubois López Taylor Thomas Moore Jackson Hernández Kowalski Thompson White Novák Harris Clark ' +
  'Lewis Robinson Walker Young Allen King Wright Scott Torres Hill Green Adams Nelson Baker Hall Rivera Campbell ' +
  "Mitchell Carter Roberts O'Brien Jensen Andersson Papadopoulos Çelik Popescu Horváth"
const givenOfMen =
  'James John Robert Michael William David Thomas Daniel José Peter Lukas Luca Matthew Paul Mark Anthony Pierre Carlos ' +
  'Kevin Brian Jürgen André Jan Ali Ivan Edward Jason Ryan Noah Liam Oliver Erik Björn Antonio Sergio Marco'
const givenOfWomen =
  'Mary Anna Maria Jennifer Linda Elizabeth Sarah Emma Laura Susan Jessica Karen Lisa Sofía Nancy Julia Sandra Ashley ' +
  'Emily Zoë Michelle Chloé Amanda Olivia Hannah Lena Inés Martina Giulia Renée Fatima Elena Ingrid Katarína Lucía Clara'

/** ASCII letters for the letters of a name, as in e-mail addresses. */
const spell = (text: string): string =>
  text
    .normalize('NFD')
    .toLowerCase()
    .replace(/[^a-z]/g, '')

const readParts = (list: string) => list.split(' ').map((text) => ({ text, spelling: spell(text) }))

const surname = createPicker(readParts(surnames), byRankSlowly)
const given = {
  men: createPicker(readParts(givenOfMen), byRankSlowly),
  women: createPicker(readParts(givenOfWomen), byRankSlowly),
}
const middle = createPicker(
  ['', ...'ABCDEFGHJKLMNPRSTW'].map((letter) => (letter === '' ? '' : ` ${letter}.`)),
  byRank,
)

export const drawLatinName = (draws: Draws, isWoman: boolean) => {
  const family = draws.pick(surname)
  const first = draws.pick(isWoman ? given.women : given.men)
  return {
    realName: `${first.text}${draws.pick(middle)} ${family.text}`,
    family: family.spelling,
    given: first.spelling,
  }
}
