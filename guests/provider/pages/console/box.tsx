interface BoxProps {
  name: string
  label: string
  checked: boolean
}

/** A setting that is on or off. */
export const Box = ({ name, label, checked }: BoxProps) => (
  <label class="check">
    <input type="checkbox" name={name} defaultChecked={checked} />
    <span>{label}</span>
  </label>
)
