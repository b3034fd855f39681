import { base } from '../base.js'
import { initials, visible } from '../language/visible.js'

/** How the operator wants the pages to look. */
export interface Branding {
  systemName: string | null
  systemLogo: string | null
  browserTitle: string | null
  copyrightInfo: string | null
  helpUrl: string | null
}

export const nameOf = ({ systemName }: Branding): string => systemName ?? 'Rollcall'

/** Names the page and the service in the title of the window. */
export const setTitle = (title: string, branding: Branding): void => {
  document.title = `${title} · ${visible(branding.browserTitle ?? nameOf(branding))}`
}

/** The logo of the service, or its initials. */
export const Mark = ({ branding, isLarge = false }: { branding: Branding; isLarge?: boolean }) =>
  branding.systemLogo === null ? (
    <span class={isLarge ? 'mark large' : 'mark'} aria-hidden="true">
      {initials(nameOf(branding))}
    </span>
  ) : (
    <img class={isLarge ? 'logo' : 'mark plain'} src={new URL(branding.systemLogo, base).href} alt="" />
  )
