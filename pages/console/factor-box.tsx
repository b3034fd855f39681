interface FactorBoxProps {
  label: string
  hint: string
  isRequired: boolean | undefined
}

/** Whether users need a second factor. Its value is in the form as `factor`. */
export const FactorBox = ({ label, hint, isRequired }: FactorBoxProps) => (
  <div class="field">
    <label class="check">
      <input type="checkbox" name="factor" defaultChecked={isRequired} aria-describedby="factor-hint" />
      <span>{label}</span>
    </label>
    <p class="hint under" id="factor-hint">
      {hint}
    </p>
  </div>
)
