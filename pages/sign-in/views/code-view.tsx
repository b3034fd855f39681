import type { ComponentChildren } from 'preact'
import { AgainLine, useSentCode, type Sent } from '../../shared/codes/sent-code.js'
import { CodeField } from '../../shared/form/field.js'
import { Form, type Values } from '../../shared/form/use-form.js'
import { frame } from '../../shared/language/frame-words.js'
import { BoldName } from '../../shared/language/visible.js'
import { words } from '../words.js'
import { AskForCode, type RecipientKind } from './code-request.js'
import { BackLink, View } from './view.js'

interface CodeViewProps {
  title: string
  heading: string
  /** Before and after the code has been sent. */
  lead: string
  leadWhenSent: (recipient: ComponentChildren) => ComponentChildren
  /** Identifies the view. */
  view: string
  /** What has happened before. */
  notice?: ComponentChildren
  kind: RecipientKind
  send: Parameters<typeof useSentCode>[0]
  submit: string
  busy: string
  onSubmit: (sent: Sent, values: Values) => Promise<void>
  /** What the form asks for beside the code. */
  fields?: (sent: Sent) => ComponentChildren
  /** What to do when no code arrives. */
  hint?: string
}

/** Sends a code, then takes it. */
export const CodeView = ({
  lead,
  leadWhenSent,
  kind,
  send,
  fields,
  submit,
  busy,
  onSubmit,
  notice,
  hint,
  ...props
}: CodeViewProps) => {
  const code = useSentCode(send)
  const { sent } = code
  if (!sent) {
    return (
      <View {...props} lead={lead}>
        {notice}
        <AskForCode code={code} kind={kind} />
        <BackLink />
      </View>
    )
  }
  const recipient = <BoldName text={sent.recipient} />
  return (
    <View
      {...props}
      lead={sent.codeKey === undefined ? frame.sentBefore : leadWhenSent(recipient)}
      view={`${props.view}-code`}
    >
      <Form
        submit={submit}
        busy={busy}
        at={{ invalid_code: 'code' }}
        onSubmit={(values) => code.use(onSubmit(sent, values))}
        after={<AgainLine code={code} sent={sent} />}
      >
        <CodeField name="code" label={words.code} first />
        {fields?.(sent)}
      </Form>
      {hint && <p class="hint">{hint}</p>}
      <BackLink />
    </View>
  )
}
