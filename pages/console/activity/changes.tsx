import { Name, visible } from '../../shared/language/visible.js'
import { words } from '../words.js'

type Fields = Record<string, unknown> | null

/** Numbers that stand for words. */
const named = (): Record<string, Record<number, string> | undefined> => ({
  userStatus: words.common.statuses,
  userType: words.common.types,
  gender: words.common.genders,
})

const nameOf = (field: string, value: unknown): unknown =>
  (typeof value === 'number' ? named()[field]?.[value] : undefined) ?? value

const toText = (value: unknown): string | undefined => {
  if (value === undefined || value === null || value === '') return undefined
  if (Array.isArray(value)) return value.length === 0 ? undefined : value.map((one) => toText(one) ?? '').join(', ')
  return typeof value === 'string' ? value : JSON.stringify(value)
}

const Value = ({ of }: { of: unknown }) => {
  const text = toText(of)
  return text === undefined ? <span class="muted">{words.audit.empty}</span> : <Name text={text} />
}

/** What a change was: each field before and after. */
export const Changes = ({ before, after, name }: { before: Fields; after: Fields; name: string }) => {
  const fields = [...new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])]
  if (fields.length === 0) return <p class="muted">{words.audit.noFields}</p>
  return (
    <div class="scroll" tabIndex={0} role="group" aria-label={words.audit.changesOf(visible(name))}>
      <table class="diff">
        <thead>
          <tr>
            <th>{words.audit.field}</th>
            <th>{words.audit.before}</th>
            <th>{words.audit.after}</th>
          </tr>
        </thead>
        <tbody>
          {fields.map((field) => (
            <tr key={field}>
              <td class="mono">{visible(field)}</td>
              <td>
                <Value of={nameOf(field, before?.[field])} />
              </td>
              <td>
                <Value of={nameOf(field, after?.[field])} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
