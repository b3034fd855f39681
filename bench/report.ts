import { mkdirSync, writeFileSync } from 'node:fs'
import { cpus, totalmem } from 'node:os'
import Table from 'cli-table3'
import { cores } from './cores.js'
import { isMet, type Figure } from './part.js'

const gibibyte = 2 ** 30

/** The figures of one part at one number of users. */
export interface Section {
  part: string
  /** 0 where the figures do not depend on them. */
  users: number
  figures: Figure[]
}

export const createReport = (sections: Section[], { seconds, database }: { seconds: number; database?: string }) => ({
  time: new Date().toISOString(),
  node: process.version,
  processor: cpus()[0]?.model,
  cores,
  memoryGiB: Math.round(totalmem() / gibibyte),
  database: database === undefined ? 'SQLite' : 'PostgreSQL',
  /** Length of one measurement. */
  seconds,
  sections: sections.map((section) => ({
    ...section,
    figures: section.figures.map((figure) => ({ ...figure, met: isMet(figure) })),
  })),
})

export type Report = ReturnType<typeof createReport>

/** Writes the report to a new file; returns its path. */
export const writeReport = (report: Report, directory: string): string => {
  mkdirSync(directory, { recursive: true })
  const path = `${directory}/${report.time.replaceAll(':', '-')}.json`
  writeFileSync(path, `${JSON.stringify(report, null, 2)}\n`)
  return path
}

const round = (value: number | undefined) =>
  value === undefined ? '' : value.toFixed(value < 10 ? 2 : value < 100 ? 1 : 0)

const targetText = ({ target }: Figure): string => {
  if (!target) return ''
  const { value, atLeast, atMost } = target
  return atLeast === undefined ? `${value} <= ${String(atMost)}` : `${value} >= ${atLeast}`
}

const verdict = (met: boolean | undefined) => (met === undefined ? '' : met ? 'met' : 'NOT MET')

/** One table for each section: the figures, their targets, and whether the targets are met. */
export const formatReport = ({ sections }: Report): string =>
  sections
    .map(({ part, users, figures }) => {
      const columns = [...new Set(figures.flatMap(({ values }) => Object.keys(values)))]
      const isJudged = figures.some(({ target }) => target)
      const table = new Table({
        head: [
          users === 0 ? part : `${part}, ${users.toLocaleString('en')} users`,
          ...columns,
          ...(isJudged ? ['target', ''] : []),
        ],
        style: { head: [], border: [], compact: true },
        colAligns: ['left', ...columns.map(() => 'right' as const), 'left', 'left'],
      })
      for (const figure of figures) {
        const cells = columns.map((column) => round(figure.values[column]))
        table.push([figure.name, ...cells, ...(isJudged ? [targetText(figure), verdict(figure.met)] : [])])
      }
      return table.toString()
    })
    .join('\n')
