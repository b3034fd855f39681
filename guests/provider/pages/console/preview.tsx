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

/** An application behind a proxy gets these claims as headers, and no others. */
const headers: Record<string, string> = {
  preferred_username: 'Remote-User',
  name: 'Remote-Name',
  email: 'Remote-Email',
  groups: 'Remote-Groups',
  sub: 'X-User-Id',
  tenant_id: 'X-Tenant-Id',
}

interface Row {
  /** Of the claim or header. */
  name: string
  text: string
  isLeftOut?: boolean
}

const claimRows = ({ userinfo, leftOut }: Claims): Row[] => [
  ...Object.entries(userinfo).map(([name, value]) => ({ name, text: textOf(value) })),
  ...leftOut.map(({ claim, reason }) => ({ name: claim, text: words.omissions[reason] ?? reason, isLeftOut: true })),
]

/** Without what says only in which token a claim is: there is none. */
const headerRows = ({ leftOut, ...claims }: Claims): Row[] =>
  claimRows({ ...claims, leftOut: leftOut.filter(({ reason }) => reason !== 'userinfo_only') }).flatMap((row) => {
    const name = headers[row.name]
    return name === undefined ? [] : { ...row, name }
  })

/** The user of this name: in the tenant of the application if there are several. */
const findUser = async (username: string, tenantId: number): Promise<number> => {
  const { records } = await request('GET /system/user/page', { query: { username, pageSize: 100 } })
  const found = records.filter((user) => user.username === username.trim())
  const user = found.find((one) => one.tenantId === tenantId) ?? found[0]
  if (!user) throw new Refusal('', { username: words.noUser })
  return user.id
}

/** What the application gets to know of somebody now, and what it does not, and why. */
export const Preview = ({ application: { id, tenantId, type } }: { application: Application }) => {
  const [claims, setClaims] = useState<Claims>()
  const isForward = type === 'forward'
  return (
    <Section heading={words.preview} hint={isForward ? words.previewForwardHint : words.previewHint}>
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
            {(isForward ? headerRows : claimRows)(claims).map(({ name, text, isLeftOut = false }) => (
              <Fact name={name} key={`${name} ${text}`}>
                {isLeftOut ? <span class="muted">{text}</span> : visible(text)}
              </Fact>
            ))}
          </dl>
        </div>
      )}
    </Section>
  )
}
