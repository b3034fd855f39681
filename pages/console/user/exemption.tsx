import type { UserFactors } from '../../../client/index.js'
import { request } from '../../shared/session/entered.js'
import { useConsole } from '../console.js'
import { useLacksFactor } from '../own-factor.js'
import { words } from '../words.js'
import type { TabProps } from './user-page.js'

interface ExemptionProps extends TabProps {
  /** What is required of the account. */
  policy: UserFactors['policy']
  isExempt: boolean
  onChanged: () => void
}

/** Whether no policy asks the account for a factor: for accounts of programs. Only system administrators change it. */
export const Exemption = ({ user, setUser, outcome, policy, isExempt, onChanged }: ExemptionProps) => {
  const { me, may, mayChange } = useConsole()
  const mayExempt = mayChange(user) && me.admin && may('system:user:edit')
  const lacksFactor = useLacksFactor(mayExempt && isExempt)
  // Where second factors are switched off, nothing can ask for one.
  if (policy === 'off' && !isExempt) return null
  const set = async (factorExempt: boolean) => {
    setUser(await request('PATCH /system/user/{id}', { path: { id: user.id }, body: { factorExempt } }))
    onChanged()
  }
  return (
    <>
      <p>{isExempt ? words.user.exempt : words.user.notExempt}</p>
      {mayExempt && (
        <div>
          <button
            onClick={() => {
              const undo = isExempt && lacksFactor ? undefined : () => set(isExempt)
              outcome.attempt(set(!isExempt), isExempt ? words.user.exemptEnded : words.user.exempted, undo)
            }}
          >
            {isExempt ? words.user.endExempt : words.user.makeExempt}
          </button>
        </div>
      )}
    </>
  )
}
