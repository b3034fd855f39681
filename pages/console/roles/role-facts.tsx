import { Fact } from '../../shared/frame/fact.js'
import { Name } from '../../shared/language/visible.js'
import { words } from '../words.js'
import { PermissionList } from './permission-list.js'
import type { Role } from './rights.js'

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
