import { useState } from 'preact/hooks'
import { PageSteps } from '../../shared/frame/page-steps.js'
import { number } from '../../shared/language/language.js'
import { visible } from '../../shared/language/visible.js'
import { saveFile } from '../../shared/save-file.js'
import { words } from '../words.js'
import type { Report } from './send-file.js'

type Faults = Report['errors']

const pageSize = 20

/** A cell that no program takes for a formula. */
const cell = (text: string): string => `"${(/^[=+\-@\t\r]/.test(text) ? `'${text}` : text).replaceAll('"', '""')}"`

const toCsv = (faults: Faults): string =>
  [
    [words.import.line, words.import.column, words.import.fault],
    ...faults.map(({ rowNum, columnName, errorMessage }) => [String(rowNum), columnName, errorMessage]),
  ]
    .map((line) => line.map(cell).join(','))
    .join('\r\n')

// Programs for tables take it for UTF-8 by this mark only.
const mark = '\uFEFF'

/** The faults of a file, in pages, and as a file for those who mend it. */
export const FaultTable = ({ faults, refused }: { faults: Faults; refused: number }) => {
  const [page, setPage] = useState(1)
  const last = Math.max(1, Math.ceil(faults.length / pageSize))
  const named = new Set(faults.map(({ rowNum }) => rowNum)).size
  return (
    <section class="stack tight" aria-labelledby="faults">
      <div class="line">
        <h2 id="faults">{words.import.faults}</h2>
        <button type="button" class="push" onClick={() => saveFile('faults.csv', mark + toCsv(faults), 'text/csv')}>
          {words.import.download}
        </button>
      </div>
      {named < refused && <p class="hint">{words.import.firstFaults(number(faults.length))}</p>}
      <table class="flush">
        <caption class="sr">{words.import.faults}</caption>
        <thead>
          <tr>
            <th class="num">{words.import.line}</th>
            <th>{words.import.column}</th>
            <th>{words.import.fault}</th>
          </tr>
        </thead>
        <tbody>
          {faults.slice((page - 1) * pageSize, page * pageSize).map(({ rowNum, field, columnName, errorMessage }) => (
            <tr key={`${rowNum} ${field} ${errorMessage}`}>
              <td class="num">{number(rowNum)}</td>
              <td class="whole">{visible(columnName)}</td>
              <td>{visible(errorMessage)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {last > 1 && <PageSteps page={page} last={last} onPage={setPage} />}
    </section>
  )
}
