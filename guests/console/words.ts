import { userTypes } from '../../schemas/user.js'
import type { Language } from '../../schemas/problems.js'
import { valueLabelOf, type LabelledField } from '../../schemas/value-labels.js'

/** The front end has one word for what is switched off, on its buttons too, and it is not ours. */
export const inItsWords = (text: string): string => text.replaceAll('停用', '禁用')

/** A type says how far an account reaches. The front end would take an administrator for somebody with permissions. */
const typeLabels: Partial<Record<number, Record<Language, string>>> = {
  [userTypes.systemAdmin]: { en: 'System-wide account', zh: '系统级账号' },
  [userTypes.tenantAdmin]: { en: 'Tenant-wide account', zh: '租户级账号' },
}

/** The label of a value, in lists, forms and workbooks of this front end. */
export const labelOfValue = (field: LabelledField, value: number | boolean, language: Language): string => {
  const ofType = field === 'userType' ? typeLabels[Number(value)] : undefined
  return ofType?.[language] ?? inItsWords(valueLabelOf(field, value, language))
}
