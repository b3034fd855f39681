import type { Settings } from '../../../schemas/settings.js'

/** The source of a picture in a content security policy; undefined for those that are allowed anyway. */
const sourceOf = (logo: string | null | undefined): string | undefined => {
  if (!logo || !/^https?:/i.test(logo) || !URL.canParse(logo)) return undefined
  const { origin, pathname } = new URL(logo)
  // These two would end the source or the directive (CSP 3, 2.2.1).
  return origin + pathname.replaceAll(';', '%3B').replaceAll(',', '%2C')
}

/** Nothing inline, nothing from elsewhere but pictures of `sources`. */
const own = (sources: readonly string[] = []): string[] => [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  ["img-src 'self' data:", ...sources].join(' '),
  "connect-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
]

/** Content security policy of the page with the OpenAPI documents. Swagger UI writes the texts of descriptions as markup. */
export const docsPolicy = own().join('; ')

/** Content security policy of the pages: nothing inline, nothing from elsewhere but the logos that the operator has configured. */
export const pagePolicy = ({ branding, federation }: Pick<Settings, 'branding' | 'federation'>): string => {
  const logos = [branding.systemLogo, ...federation.providers.map(({ logo }) => logo)].map(sourceOf)
  const sources = [...new Set(logos.filter((source) => source !== undefined))]
  return [
    ...own(sources),
    "require-trusted-types-for 'script'",
    // The address of the worker of captchas: pages/shared/captcha/prove-work.ts.
    'trusted-types rollcall',
  ].join('; ')
}
