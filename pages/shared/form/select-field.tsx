import { Labelled } from './labelled.js'

interface SelectFieldProps {
  name: string
  label: string
  hint?: string
  /** That is chosen at first. */
  value: string
  options: readonly (readonly [value: string, text: string])[]
  onChange?: (value: string) => void
}

/** A label and a list to choose from. */
export const SelectField = ({ name, label, hint, value, options, onChange }: SelectFieldProps) => (
  <Labelled {...{ name, label, hint }}>
    {(description) => (
      <select id={name} name={name} onChange={({ currentTarget }) => onChange?.(currentTarget.value)} {...description}>
        {options.map(([option, text]) => (
          <option value={option} selected={option === value} key={option}>
            {text}
          </option>
        ))}
      </select>
    )}
  </Labelled>
)
