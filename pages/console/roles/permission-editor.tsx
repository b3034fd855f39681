import { covers } from '../../../client/index.js'
import { TextAreaField } from '../../shared/form/field.js'
import { visible } from '../../shared/language/visible.js'
import { words } from '../words.js'
import { groups, linesOf, nearestKnown, type Group } from './permissions.js'
import { useRoleRights } from './rights.js'

interface BoxProps {
  permission: Group['permissions'][number]
  isTicked: boolean
  /** Whether a pattern such as `system:*:*` grants it already. */
  isCovered: boolean
  onTick: (isTicked: boolean) => void
}

const Box = ({ permission, isTicked, isCovered, onTick }: BoxProps) => (
  <label class="check">
    <input
      type="checkbox"
      checked={isTicked || isCovered}
      disabled={isCovered || !useRoleRights().mayGive(permission.name)}
      // Before the form hears of it and is drawn again, which would take the tick back.
      onInput={({ currentTarget }) => onTick(currentTarget.checked)}
    />
    <span class="what">
      {permission.text}
      <br />
      <span class="muted mono">{permission.name}</span>
      {isCovered && <span class="muted"> {words.roles.covered}</span>}
    </span>
  </label>
)

/** Of a permission that opens nothing here, and looks like one of the service. An application may ask for it all the same. */
const Slips = ({ lines }: { lines: readonly string[] }) => (
  <>
    {lines.map((line) => {
      const nearest = nearestKnown(line)
      return (
        nearest !== undefined && (
          <p class="hint" key={line}>
            {words.roles.slip(visible(line), nearest)}
          </p>
        )
      )
    })}
  </>
)

interface PermissionEditorProps {
  ticked: readonly string[]
  /** The text of the field for other permissions, as it is now and as it was at first. */
  further: string
  initialFurther: string
  onTick: (permission: string, isTicked: boolean) => void
  onFurther: (text: string) => void
}

/** The permissions of a role: those of the service as checkboxes, others as lines. */
export const PermissionEditor = ({ ticked, further, initialFurther, onTick, onFurther }: PermissionEditorProps) => {
  const lines = linesOf(further)
  return (
    <>
      {groups().map(({ resource, title, permissions }) => (
        <fieldset class="stack tight" key={resource}>
          <legend>
            <h3>{title}</h3>
          </legend>
          <div class="pair tight">
            {permissions.map((permission) => (
              <Box
                key={permission.name}
                permission={permission}
                isTicked={ticked.includes(permission.name)}
                isCovered={lines.some(covers(permission.name))}
                onTick={(isTicked) => onTick(permission.name, isTicked)}
              />
            ))}
          </div>
        </fieldset>
      ))}
      <div onInput={({ target }) => onFurther((target as HTMLTextAreaElement).value)}>
        <TextAreaField
          name="further"
          label={words.roles.further}
          hint={words.roles.furtherHint}
          below={<Slips lines={lines} />}
          initial={initialFurther}
          rows={4}
        />
      </div>
    </>
  )
}
