import { useEffect, useState } from 'preact/hooks'
import { SelectField } from '../../shared/form/select-field.js'
import { chooseLanguage, language, languages } from '../../shared/language/language.js'
import { handOver } from '../../shared/session/client.js'
import { Section } from '../../shared/shell/shell.js'
import { chooseTheme, readTheme, themes } from '../../shared/style/theme.js'
import { words } from '../words.js'

/** After the reload of a choice the focus is where it was. */
const takeFocus = () => {
  if ((history.state as { hasChosenLanguage?: boolean } | null)?.hasChosenLanguage !== true) return
  history.replaceState(null, '')
  document.getElementById('language')?.focus()
}

/** Language and colours, in this browser only. */
export const Appearance = () => {
  const [theme, setTheme] = useState(readTheme)
  useEffect(takeFocus, [])
  return (
    <Section heading={words.appearance} hint={words.appearanceHint}>
      <SelectField
        name="language"
        label={words.language}
        value={language}
        options={Object.entries(languages)}
        onChange={(chosen) => {
          handOver()
          chooseLanguage(chosen, { hasChosenLanguage: true })
        }}
      />
      <fieldset class="stack tight">
        <legend>{words.colours}</legend>
        <div class="line">
          {themes.map((name) => (
            <label class="check" key={name}>
              <input
                type="radio"
                name="theme"
                checked={name === theme}
                onChange={() => {
                  setTheme(name)
                  chooseTheme(name)
                }}
              />
              {words.themes[name]}
            </label>
          ))}
        </div>
      </fieldset>
    </Section>
  )
}
