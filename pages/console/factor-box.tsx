import { base, hasPage } from '../shared/base.js'
import { gap } from '../shared/language/language.js'
import { words } from './words.js'

interface FactorBoxProps {
  label: string
  hint: string
  isRequired: boolean | undefined
  /** Whether the person has no second factor. */
  lacksFactor: boolean
}

/** Whether users need a second factor. Its value is in the form as `factor`. */
export const FactorBox = ({ label, hint, isRequired, lacksFactor }: FactorBoxProps) => (
  <div class="field">
    <label class="check">
      <input type="checkbox" name="factor" defaultChecked={isRequired} aria-describedby="factor-hint" />
      <span>{label}</span>
    </label>
    <div class="hint under" id="factor-hint">
      <p>{hint}</p>
      {lacksFactor && (
        <p>
          {words.common.needsFactor}
          {hasPage('account') && (
            <>
              {gap}
              <a href={`${base.pathname}account/security`} target="_self">
                {words.common.toOwnFactors}
              </a>
            </>
          )}
        </p>
      )}
    </div>
  </div>
)
