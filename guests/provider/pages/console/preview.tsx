import { useState } from 'preact/hooks'
import type { Operations } from '../../../../client/index.js'
import { Field } from '../../../../pages/shared/form/field.js'
import { Form } from '../../../../pages/shared/form/use-form.js'
import { Fact } from '../../../../pages/shared/frame/fact.js'
import { Notice } from '../../../../pages/shared/frame/notice.js'
import { visible } from '../../../../pages/shared/language/visible.js'
import { request } from '../../../../pages/shared/session/entered.js'
import { Refusal } from '../../../../pages/shared/session/fault.js'
import { Section } from '../../../../pages/shared/shell/shell.js'
import type { Application } from './values.js'
import { words } from './words.js'

type Claims = Operations['GET /system/client/{id}/claims']['data']

const textOf = (value: unknown): string => (Array.isArray(value) ? value.join(', ') : String(value))

/** The user of this name: in the tenant of the application if there are several. */
const findUser = async (username: string, tenantId: number): Promise<number> => {
  const { records } = await request('GET /system/user/page', { query: { username, pageSize: 100 } })
  const found = records.filter((user) => user.username === username.trim())
  const user = found.find((one) => one.tenantId === tenantId) ?? found[0]
  if (!user) throw new Refusal('', { username: words.noUser })
  return user.id
}

/** What the application gets to know of somebody now, and what it does not, and why. */
export const Preview = ({ application: { id, tenantId } }: { application: Application }) => {
  const [claims, setClaims] = useState<Claims>()
  return (
    <Section heading={words.preview} hint={words.previewHint}>
      <Form
        submit={words.show}
        onSubmit={async ({ username = '' }) => {
          const userId = await findUser(username, tenantId)
          setClaims(await request('GET /system/client/{id}/claims', { path: { id }, query: { userId } }))
        }}
      >
        <Field name="username" label={words.user} autocomplete="off" autocapitalize="none" spellcheck={false} />
      </Form>
      {claims && (
        <div class="stack" role="status">
          {claims.refusal !== null && <Notice kind="warn">{words.refusals[claims.refusal]}</Notice>}
          <dl class="facts">
            {Object.entries(claims.userinfo).map(([name, value]) => (
              <Fact name={name} key={name}>
                {visible(textOf(value))}
              </Fact>
            ))}
            {claims.leftOut.map(({ claim, reason }) => (
              <Fact name={claim} key={`${claim} ${reason}`}>
                <span class="muted">{words.omissions[reason]}</span>
              </Fact>
            ))}
          </dl>
        </div>
      )}
    </Section>
  )
}
