import type { CompatDictItem } from './schemas/units.js'
import type { Language } from '../schemas/problems.js'
import { valueLabels } from '../schemas/value-labels.js'

/** Colour of a label. */
type ListClass = 'primary' | 'success' | 'info' | 'warning' | 'danger'

/** The dictionaries by the type that the front end asks for: the field, and the colours of its labels in their order. */
const dictionaries: Record<string, { field: 'userType' | 'userStatus' | 'gender'; colours: ListClass[] }> = {
  sys_user_type: { field: 'userType', colours: ['danger', 'warning', 'primary'] },
  sys_user_status: { field: 'userStatus', colours: ['danger', 'success', 'warning'] },
  sys_user_sex: { field: 'gender', colours: ['info', 'primary', 'danger'] },
}

/** The entries of a dictionary; none for an unknown type. */
export const findDictionary = (type: string, language: Language): CompatDictItem[] => {
  const dictionary = Object.hasOwn(dictionaries, type) ? dictionaries[type] : undefined
  if (!dictionary) return []
  return valueLabels[dictionary.field].map(({ value, ...labels }, index) => ({
    dictLabel: labels[language],
    dictValue: String(value),
    listClass: dictionary.colours[index] ?? 'info',
    dictSort: index + 1,
  }))
}
