import { frame } from '../../shared/language/frame-words.js'
import { Field, PasswordField } from '../../shared/form/field.js'
import { Form } from '../../shared/form/use-form.js'
import { isRefusal } from '../../shared/session/fault.js'
import { addressOf } from '../address.js'
import { arrival } from '../arrival.js'
import { useCaptcha, type Answer } from '../../shared/captcha/use-captcha.js'
import { useSignIn } from '../flow.js'
import { words } from '../words.js'

const bodyOf = (username: string, password: string, answer: Partial<Answer> = {}, isAlwaysAsked: boolean) => {
  const { code = '', codeKey = '' } = answer
  if (isAlwaysAsked) return { authType: 'password_captcha', username, password, code, codeKey } as const
  return { authType: 'password', username, password, ...answer } as const
}

/** An e-mail address, or a phone number as people write it. */
const contact = /@|^\+?[\d -]+$/

/** Name and password on one screen: password managers fill in both. */
export const PasswordForm = ({ onFault }: { onFault: () => void }) => {
  const { config, signIn, tenant } = useSignIn()
  const isAlwaysAsked = !config.authTypes.includes('password')
  const captcha = useCaptcha(tenant, isAlwaysAsked)
  const forgot = config.resetChannels.length > 0 && <a href={addressOf('sign-in/forgot')}>{words.forgotPassword}</a>
  return (
    <Form
      submit={words.signIn}
      busy={words.signingIn}
      marked={['invalid_credentials password']}
      onSubmit={(values) => {
        onFault()
        const { username = '', password = '' } = values
        return captcha
          .answering(values, (answer) =>
            signIn(bodyOf(username, password, answer, isAlwaysAsked), { name: username, password }),
          )
          .catch((error: unknown) => {
            // Said of every contact that is refused, whoever has it: the service tells nobody which names exist.
            if (isRefusal(error, 'invalid_credentials') && contact.test(username))
              error.message += frame.gap + words.unverified
            throw error
          })
      }}
    >
      <Field
        name="username"
        label={words.name}
        autocomplete="username webauthn"
        autocapitalize="none"
        spellcheck={false}
        initial={arrival?.name ?? null}
        first
      />
      <PasswordField
        name="password"
        label={frame.password}
        autocomplete="current-password"
        {...(forgot && { aside: forgot })}
      />
      {captcha.field}
    </Form>
  )
}
