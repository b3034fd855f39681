import { useRef } from 'preact/hooks'
import { covers, type Permission } from '../../../client/index.js'
import { TextAreaField } from '../../shared/form/field.js'
import { gap } from '../../shared/language/language.js'
import { visible } from '../../shared/language/visible.js'
import { words } from '../words.js'
import { groups, lackingFor, linesOf, nearestKnown, type Group } from './permissions.js'
import { useRoleRights } from './rights.js'

interface BoxProps {
  permission: Group['permissions'][number]
  isTicked: boolean
  /** Whether a pattern such as `system:*:*` grants it already. */
  isCovered: boolean
  /** What it needs on the console and is not granted, while it is granted itself. */
  lacking: readonly Group['permissions'][number][]
  onTick: (isTicked: boolean, ...permissions: Permission[]) => void
}

const Box = ({ permission: { name, text }, isTicked, isCovered, lacking, onTick }: BoxProps) => {
  const { mayGive } = useRoleRights()
  const input = useRef<HTMLInputElement>(null)
  const id = `needs-${name}`
  const tickLacking = () => {
    onTick(true, ...lacking.map(({ name }) => name))
    // The button goes with the sentence.
    input.current?.focus()
  }
  return (
    <div>
      <label class="check">
        <input
          ref={input}
          type="checkbox"
          checked={isTicked || isCovered}
          disabled={isCovered || !mayGive(name)}
          aria-describedby={lacking.length > 0 ? id : undefined}
          // Before the form hears of it and is drawn again, which would take the tick back.
          onInput={({ currentTarget }) => onTick(currentTarget.checked, name)}
        />
        <span class="what">
          {text}
          <br />
          <span class="muted mono">{name}</span>
          {isCovered && <span class="muted"> {words.roles.covered}</span>}
        </span>
      </label>
      {lacking.length > 0 && (
        <p class="hint under">
          <span id={id}>{words.roles.needs(lacking.map(({ text }) => text))}</span>
          {lacking.every(({ name }) => mayGive(name)) && (
            <>
              {gap}
              <button type="button" class="link" aria-describedby={id} onClick={tickLacking}>
                {words.roles.tickNeeds}
              </button>
            </>
          )}
        </p>
      )}
    </div>
  )
}

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
  onTick: (isTicked: boolean, ...permissions: string[]) => void
  onFurther: (text: string) => void
}

/** The permissions of a role: those of the service as checkboxes, others as lines. */
export const PermissionEditor = ({ ticked, further, initialFurther, onTick, onFurther }: PermissionEditorProps) => {
  const lines = linesOf(further)
  const granted = [...ticked, ...lines]
  const all = groups()
  const known = all.flatMap(({ permissions }) => permissions)
  const lackingOf = (permission: Permission) => {
    if (!granted.some(covers(permission))) return []
    const lacking = lackingFor(permission, granted)
    return known.filter(({ name }) => lacking.includes(name))
  }
  return (
    <>
      {all.map(({ resource, title, permissions }) => (
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
                lacking={lackingOf(permission.name)}
                onTick={onTick}
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
