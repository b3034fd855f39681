/** How the operator wants the pages to look. */
export interface Branding {
  systemName: string | null
  systemLogo: string | null
  browserTitle: string | null
  copyrightInfo: string | null
  helpUrl: string | null
}

export const nameOf = ({ systemName }: Branding): string => systemName ?? 'Rollcall'
