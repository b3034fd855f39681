import { Fact } from '../../shared/frame/fact.js'
import { Name } from '../../shared/language/visible.js'
import { words } from '../words.js'
import { groups, splitPermissions } from './permissions.js'
import type { Role } from './rights.js'

/** What a role grants, for those who may not change it. */
const PermissionList = ({ permissions: all }: { permissions: readonly string[] }) => {
  const { ticked, further } = splitPermissions(all)
  if (all.length === 0) return <p class="muted">{words.roles.noPermission}</p>
  return (
    <dl class="facts">
      {groups()
        .map(({ title, permissions }) => ({ title, own: permissions.filter(({ name }) => ticked.includes(name)) }))
        .filter(({ own }) => own.length > 0)
        .map(({ title, own }) => (
          <Fact name={title} key={title}>
            <ul>
              {own.map(({ name, text }) => (
                <li key={name}>
                  {text} <span class="muted mono">{name}</span>
                </li>
              ))}
            </ul>
          </Fact>
        ))}
      {further.length > 0 && (
        <Fact name={words.roles.further}>
          <ul class="mono">
            {further.map((permission) => (
              <li key={permission}>
                <Name text={permission} />
              </li>
            ))}
          </ul>
        </Fact>
      )}
    </dl>
  )
}

/** A role, for those who may not change it. */
export const RoleFacts = ({ role: { key, secondFactorRequired, permissions } }: { role: Role }) => (
  <>
    <dl class="facts">
      <Fact name={words.roles.key}>
        <span class="mono">
          <Name text={key} />
        </span>
      </Fact>
      <Fact name={words.roles.factor}>{secondFactorRequired ? words.roles.required : words.roles.notRequired}</Fact>
    </dl>
    <h2>{words.roles.grants}</h2>
    <PermissionList permissions={permissions} />
  </>
)
