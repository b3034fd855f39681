import type { Page } from 'playwright-core'

/** Opens an operation of Swagger UI and sends it; returns the status and body that the page shows. */
export const send = async (page: Page, operationId: string, body?: object) => {
  const operation = page.locator(`.opblock[id$="-${operationId}"]`)
  const execute = operation.getByRole('button', { name: 'Execute' })
  if (!(await execute.isVisible())) await operation.locator('.opblock-summary-control').click()
  if (body) await operation.locator('textarea.body-param__text').fill(JSON.stringify(body))
  await execute.click()
  const live = operation.locator('.live-responses-table')
  const status = await live.locator('.response-col_status').last().innerText()
  const text = await live.locator('.highlight-code code').first().innerText()
  return { status: status.trim().slice(0, 3), body: JSON.parse(text) }
}
