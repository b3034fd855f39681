import { useLocation } from 'preact-iso/router'
import { useState } from 'preact/hooks'
import { frame } from '../../shared/language/frame-words.js'
import { useUnsaved } from '../../shared/ask/unsaved.js'
import { HiddenUserName, PasswordField } from '../../shared/form/field.js'
import { nameOf } from '../../shared/frame/branding.js'
import { namesOf, NewPasswordField } from '../../shared/form/new-password-field.js'
import { Form } from '../../shared/form/use-form.js'
import { request } from '../../shared/session/entered.js'
import { carryOutcome } from '../../shared/shell/outcome.js'
import { Page, Section } from '../../shared/shell/shell.js'
import { addressOf, useAccount } from '../account.js'
import { words } from '../words.js'

/** A new password in place of one's own. */
export const Password = () => {
  const { config, me, setMe } = useAccount()
  const { route } = useLocation()
  const [isChanged, setChanged] = useState(false)
  useUnsaved(isChanged)
  return (
    <Page title={words.changePassword}>
      <Section heading={words.newPassword} hint={words.passwordAdvice}>
        <div onInput={() => setChanged(true)}>
          <Form
            submit={words.changePassword}
            busy={words.saving}
            at={{ invalid_credentials: 'oldPassword' }}
            onSubmit={async ({ oldPassword = '', newPassword = '', endTokens }) => {
              const body = { oldPassword, newPassword, endTokens: endTokens !== undefined }
              await request('POST /auth/changePassword', { body })
              setChanged(false)
              // The page that follows says when it was changed. It has been, whatever becomes of this question.
              await request('GET /auth/userInfo').then(setMe, () => undefined)
              carryOutcome(words.passwordChanged)
              route(addressOf('security'))
            }}
            after={
              <>
                <p class="hint">{words.othersEnd}</p>
                <a href={addressOf('security')}>{frame.cancel}</a>
              </>
            }
          >
            <HiddenUserName name={me.username} />
            <PasswordField name="oldPassword" label={words.currentPassword} autocomplete="current-password" first />
            <NewPasswordField
              label={words.newPassword}
              minLength={config.passwordPolicy.minLength}
              service={nameOf(config)}
              names={namesOf(me, me.tenantName)}
            />
            {me.permissions.length > 0 && (
              <label class="check">
                <input type="checkbox" name="endTokens" />
                <span>{words.endTokens}</span>
              </label>
            )}
          </Form>
        </div>
      </Section>
    </Page>
  )
}
