import { TextAreaField } from '../../../../pages/shared/form/field.js'
import { SelectField } from '../../../../pages/shared/form/select-field.js'
import { days, duration, number } from '../../../../pages/shared/language/language.js'
import { pathRolesText, readPathRoles } from './path-roles.js'
import { linesOf, type Application, type Change } from './values.js'
import { words } from './words.js'

const [minute, hour, day] = [60, 3600, 86_400]
/** Seconds. */
const offered = [5 * minute, 15 * minute, 30 * minute, hour, 4 * hour, 8 * hour, day, 7 * day, 30 * day]

/** Exact, because it is a choice: `duration` rounds. */
const durationText = (seconds: number): string => {
  if (seconds % day === 0) return days(seconds / day)
  const isWhole = seconds % hour === 0 || (seconds % minute === 0 && seconds < 90 * minute)
  return isWhole ? duration(seconds) : words.seconds(number(seconds))
}

/** The times that are offered, and the one that was set in another way. */
const MaxAge = ({ application: { maxAge } }: { application: Application }) => {
  const all = [...new Set([...offered, ...(maxAge === null ? [] : [maxAge])])].sort((one, other) => one - other)
  return (
    <SelectField
      name="maxAge"
      label={words.maxAge}
      hint={words.maxAgeHint}
      value={String(maxAge ?? '')}
      options={[['', words.noMaxAge], ...all.map((seconds) => [String(seconds), durationText(seconds)] as const)]}
    />
  )
}

/** What only an application has that a proxy asks for, but for its hosts. */
export const ForwardFields = ({ application }: { application: Application }) => (
  <>
    <MaxAge application={application} />
    <h3>{words.paths}</h3>
    <TextAreaField
      name="openPaths"
      label={words.openPaths}
      hint={words.openPathsHint}
      initial={application.openPaths.join('\n')}
    />
    <TextAreaField
      name="pathRoles"
      label={words.pathRoles}
      hint={words.pathRolesHint}
      initial={pathRolesText(application.pathRoles)}
      rows={4}
    />
  </>
)

/** What these fields say, as settings. Throws a `Refusal`. */
export const forwardChange = (application: Application, values: Record<string, string>): Change => ({
  maxAge: values['maxAge'] === '' ? null : Number(values['maxAge']),
  openPaths: linesOf(values['openPaths']),
  pathRoles: readPathRoles(values['pathRoles'], application.pathRoles),
})
