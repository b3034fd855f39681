import { useEffect, useRef, useState } from 'preact/hooks'
import { Notice } from '../../shared/frame/notice.js'
import { frame } from '../../shared/language/frame-words.js'
import { gap, number, sentences } from '../../shared/language/language.js'
import { visible } from '../../shared/language/visible.js'
import { toFault } from '../../shared/session/fault.js'
import { Page } from '../../shared/shell/shell.js'
import { useUnsaved } from '../../shared/ask/unsaved.js'
import { addressOf, useConsole } from '../console.js'
import { backTo } from '../list/address.js'
import { channelsOf } from '../values.js'
import { words } from '../words.js'
import { FaultTable } from './faults.js'
import { sendFile, type Report } from './send-file.js'
import { Template } from './template.js'

/** What is going on with the file. */
interface Work {
  kind: 'check' | 'import'
  part: number
}

const Steps = ({ at }: { at: number }) => (
  <ol class="steps">
    {words.import.steps.map((text, index) => (
      <li key={text} aria-current={index === at ? 'step' : undefined}>
        {text}
      </li>
    ))}
  </ol>
)

const Figures = ({ report: { rows, refused } }: { report: Report }) => (
  <dl class="figures">
    {(
      [
        [words.import.rows, rows],
        [words.import.withoutFault, rows - refused],
        [words.import.refused, refused],
      ] as const
    ).map(([text, count]) => (
      <div key={text}>
        <dt>{text}</dt>
        <dd>{number(count)}</dd>
      </div>
    ))}
  </dl>
)

interface RunningProps {
  name: string
  work: Work
  onCancel: () => void
}

const Running = ({ name, work: { kind, part }, onCancel }: RunningProps) => {
  const isSent = part >= 1
  const text = isSent ? words.import.working[kind] : words.import.sending(Math.floor(part * 100))
  return (
    <section class="stack tight" aria-label={words.import.running}>
      <div class="spread">
        <label for="progress">{name}</label>
        <span class="num muted">{text}</span>
      </div>
      {/* Without a value it shows that something goes on: the service answers when all rows are done. */}
      {isSent ? <progress id="progress" /> : <progress id="progress" max={1} value={part} />}
      <p class="hint">{words.import.stay}</p>
      <div>
        <button type="button" onClick={onCancel}>
          {frame.cancel}
        </button>
      </div>
    </section>
  )
}

/** The list of users that shows who was added; others who were added in the meantime are among them. */
const addedIn = ({ createTimeFrom, createTimeTo }: Report): string =>
  new URLSearchParams({
    createTimeFrom: createTimeFrom ?? '',
    createTimeTo: createTimeTo ?? '',
    sort: '-createTime',
  }).toString()

const Outcome = ({ report, name }: { report: Report; name: string }) => {
  if (!report.success)
    return (
      <Notice kind="warn" isQuiet>
        <b>{words.import.hasFaults(number(report.refused), name)}</b> {words.import.allOrNone}
      </Notice>
    )
  if (report.rows === 0)
    return (
      <Notice kind="warn" isQuiet>
        {words.import.isEmpty(name)}
      </Notice>
    )
  if (report.dryRun)
    return (
      <Notice kind="good" isQuiet>
        {words.import.isGood(name)} {!report.contactsCompared && words.import.notCompared}
      </Notice>
    )
  return (
    <Notice kind="good" isQuiet>
      {sentences(
        words.import.added(report.added),
        report.invited > 0 && words.import.invited(report.invited),
        report.notInvited > 0 && words.import.notInvited(report.notInvited),
      )}
      {gap}
      <a href={addressOf(`users?${addedIn(report)}`)}>{words.import.showThem}</a>
    </Notice>
  )
}

/** Who can never sign in is no fault: somebody may give them a password later. */
const WithoutWayIn = ({ report: { success, dryRun, withoutWayIn, namesWithoutWayIn } }: { report: Report }) => {
  const { config } = useConsole()
  if (withoutWayIn === 0) return null
  const channels = channelsOf(config.resetChannels)
  return (
    <Notice kind="warn" isQuiet>
      <b>{words.import.noWayIn(withoutWayIn, success && !dryRun)}</b>
      {gap}
      {sentences(
        words.import.whoNot(namesWithoutWayIn.map(visible), withoutWayIn - namesWithoutWayIn.length),
        words.import.whyNot[channels],
        success && !dryRun ? words.import.afterImport(channels) : words.import.beforeImport(channels),
      )}
    </Notice>
  )
}

/** The file, and what may be in its columns. */
const FileField = ({ label, onChoose }: { label: string; onChoose: (file: File | undefined) => void }) => (
  <div class="field">
    <label for="file">{label}</label>
    <input
      id="file"
      type="file"
      accept=".csv,.xlsx"
      aria-describedby="file-hint"
      onChange={({ currentTarget }) => {
        onChoose(currentTarget.files?.[0])
        // The same file may be chosen again, after it has been mended.
        currentTarget.value = ''
      }}
    />
    <div class="hint" id="file-hint">
      <p>{words.import.fileHint}</p>
      <ul>
        {words.import.valueHints.map((text) => (
          <li key={text}>{text}</li>
        ))}
      </ul>
    </div>
  </div>
)

const useImport = () => {
  const [file, setFile] = useState<File>()
  const [report, setReport] = useState<Report>()
  const [work, setWork] = useState<Work>()
  const [problem, setProblem] = useState<string>()
  const [invites, setInvites] = useState(false)
  const abort = useRef<AbortController>(null)
  useEffect(() => () => abort.current?.abort(), [])

  const run = async (chosen: File, kind: Work['kind']) => {
    abort.current = new AbortController()
    setProblem(undefined)
    setReport(undefined)
    setWork({ kind, part: 0 })
    try {
      const { signal } = abort.current
      const onProgress = (part: number) => setWork({ kind, part })
      const answer = await sendFile(chosen, { isDryRun: kind === 'check', invites, onProgress, signal })
      setReport(answer)
    } catch (error) {
      const isCancelled = error instanceof DOMException && error.name === 'AbortError'
      setProblem(isCancelled ? words.import.cancelled : toFault(error).message)
    } finally {
      setWork(undefined)
    }
  }
  return {
    file,
    report,
    work,
    problem,
    invites,
    setInvites,
    cancel: () => abort.current?.abort(),
    choose: (chosen: File | undefined) => {
      setFile(chosen)
      if (chosen) void run(chosen, 'check')
    },
    add: () => file && void run(file, 'import'),
  }
}

/** Adds the users of a file: it is checked first, and added when it has no faults. */
export const Import = () => {
  const { config, lacksLink } = useConsole()
  const { file, report, work, problem, invites, setInvites, cancel, choose, add } = useImport()
  const name = visible(file?.name ?? '')
  const isAdded = report !== undefined && !report.dryRun && report.success
  const isReady = report?.success === true && report.dryRun && report.rows > 0
  const result = useRef<HTMLDivElement>(null)
  // What had the focus is gone, and the result is read out.
  useEffect(() => result.current?.querySelector<HTMLElement>('.notice')?.focus(), [report, problem])
  useUnsaved(work?.kind === 'import', words.import.leave)
  return (
    <Page title={words.import.title} above={{ href: backTo('users'), text: words.import.users }}>
      <div class="stack narrow loose" ref={result}>
        <Steps at={isAdded || work?.kind === 'import' ? 2 : report || work ? 1 : 0} />
        {problem !== undefined && <Notice kind="bad">{problem}</Notice>}
        {report && <Outcome report={report} name={name} />}
        {report && <WithoutWayIn report={report} />}
        {report && !isAdded && <Figures report={report} />}
        {isReady && (
          <div class="stack tight">
            {config.resetChannels.length > 0 && (
              <label class="check">
                <input
                  type="checkbox"
                  checked={invites}
                  onChange={({ currentTarget }) => setInvites(currentTarget.checked)}
                />
                {words.import.invite}
              </label>
            )}
            {invites && lacksLink && <p class="hint under">{words.common.noLink}</p>}
            <div>
              <button type="button" class="primary" onClick={add}>
                {words.import.add(report.rows)}
              </button>
            </div>
          </div>
        )}
        {report && report.errors.length > 0 && <FaultTable faults={report.errors} refused={report.refused} />}
        {work ? (
          <Running name={name} work={work} onCancel={cancel} />
        ) : (
          <>
            <FileField label={file ? words.import.anotherFile : words.import.file} onChoose={choose} />
            <Template />
          </>
        )}
      </div>
    </Page>
  )
}
