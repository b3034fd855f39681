import { createContext, type ComponentChildren, type TargetedSubmitEvent } from 'preact'
import { useContext, useEffect, useRef, useState } from 'preact/hooks'
import { Notice } from '../frame/notice.js'
import { frame } from '../language/frame-words.js'
import { toFault, type Fault } from '../session/fault.js'

export type Values = Record<string, string>

interface FormState {
  fault: Fault | undefined
  /** Fields that the message at the head of the form is about. */
  marked: readonly string[]
}
const FormContext = createContext<FormState>({ fault: undefined, marked: [] })

/** What is wrong with a field, for its input and the text below it. */
export const useFieldFault = (name: string) => {
  const { fault, marked } = useContext(FormContext)
  const text = fault?.fields[name]
  return {
    text,
    isMarked: text === undefined && fault !== undefined && marked.includes(`${fault.reason ?? ''} ${name}`),
  }
}

const valuesOf = (form: HTMLFormElement): Values =>
  Object.fromEntries(
    [...new FormData(form)].flatMap(([name, value]) => (typeof value === 'string' ? [[name, value]] : [])),
  )

/** Own words instead of those of the browser, whose language may be another one. */
const missing = (form: HTMLFormElement): Fault | undefined => {
  const empty = [...form.querySelectorAll<HTMLInputElement>('[required]')].filter(({ value }) => value.trim() === '')
  if (empty.length === 0) return undefined
  return { message: '', reason: undefined, fields: Object.fromEntries(empty.map(({ name }) => [name, frame.required])) }
}

interface FormProps {
  /** Throws why it did not work. */
  onSubmit: (values: Values) => Promise<void>
  /** The field to which the message of a refusal belongs, by its reason. */
  at?: Record<string, string>
  /** The fields that are wrong after a refusal whose message is about several, as `reason field`. */
  marked?: readonly string[]
  label?: string
  submit: string
  busy?: string
  /** A fault from before this form. */
  initial?: Fault | undefined
  children: ComponentChildren
  /** Beside or below the button. */
  after?: ComponentChildren
}

const place = (fault: Fault, at: Record<string, string>): Fault => {
  const field = fault.reason === undefined ? undefined : at[fault.reason]
  if (field === undefined) return fault
  // The message of the service names the user name, too, which a form with such a field does not ask for; after a colon it names a field of the API.
  const message = fault.reason === 'invalid_credentials' ? frame.wrongPassword : fault.message.split(/: |：/)[0]
  return { ...fault, message: '', fields: { ...fault.fields, [field]: message ?? '' } }
}

/** A form that is sent by script: it says what is wrong at the fields, moves the focus there, and is sent once at a time. */
export const Form = ({ onSubmit, at = {}, marked = [], label, submit, busy, initial, children, after }: FormProps) => {
  const form = useRef<HTMLFormElement>(null)
  const [fault, setFault] = useState<Fault | undefined>(initial)
  const [isBusy, setBusy] = useState(false)

  // A form that takes the place of another one has lost its focus.
  useEffect(() => form.current?.querySelector<HTMLElement>('[data-first=true]')?.focus(), [])
  useEffect(() => {
    if (fault === undefined) return
    const target =
      form.current?.querySelector<HTMLElement>('[aria-invalid=true]') ??
      form.current?.querySelector<HTMLElement>('[role=alert]')
    target?.focus()
  }, [fault])

  const send = async (event: TargetedSubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    if (isBusy) return
    const absent = missing(event.currentTarget)
    if (absent) {
      setFault(absent)
      return
    }
    const values = valuesOf(event.currentTarget)
    setFault(undefined)
    setBusy(true)
    try {
      await onSubmit(values)
    } catch (error) {
      setFault(place(toFault(error), at))
    } finally {
      setBusy(false)
    }
  }

  // A violation of a field that is not in the form stands at its head.
  const known = new Set([...(form.current?.elements ?? [])].map((element) => element.getAttribute('name')))
  const lost = Object.keys(fault?.fields ?? {}).filter((name) => form.current !== null && !known.has(name))
  const message = fault === undefined ? '' : Object.keys(fault.fields).length > lost.length ? '' : fault.message
  return (
    <FormContext.Provider value={{ fault, marked }}>
      <form
        class="stack"
        ref={form}
        onSubmit={(event) => void send(event)}
        noValidate
        aria-label={label}
        aria-busy={isBusy}
      >
        {message !== '' && (
          <Notice kind="bad" id="fault">
            {message}
          </Notice>
        )}
        {children}
        <div class="actions">
          <button class="primary" aria-disabled={isBusy}>
            {isBusy ? (busy ?? submit) : submit}
          </button>
          {after}
        </div>
      </form>
    </FormContext.Provider>
  )
}
