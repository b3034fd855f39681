import type { ComponentChildren } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import { Mark, setTitle, type Branding } from './branding.js'
import { frame } from '../language/frame-words.js'
import { language, languages, type Language } from '../language/language.js'
import { Name } from '../language/visible.js'

const addressIn = (other: Language): string => {
  const query = new URLSearchParams(location.search)
  query.set('lang', other)
  // A page may have what to fill in there.
  return `?${query.toString()}${location.hash}`
}

const Footer = ({ branding }: { branding: Branding }) => (
  <footer>
    {Object.entries(languages).map(([code, name]) => (
      // A new document: the words of the other language are not loaded. Not by the router, which would stay in this one.
      <a
        href={addressIn(code as Language)}
        target="_top"
        lang={code}
        aria-current={code === language ? 'true' : undefined}
      >
        {name}
      </a>
    ))}
    {branding.helpUrl !== null && <a href={branding.helpUrl}>{frame.help}</a>}
    {branding.copyrightInfo !== null && (
      <span>
        <Name text={branding.copyrightInfo} />
      </span>
    )}
  </footer>
)

interface GateProps {
  branding: Branding
  /** In the title of the window. */
  title: string
  heading: ComponentChildren
  lead?: ComponentChildren
  /** Identifies the view: when it changes, the focus moves. */
  view: string
  children: ComponentChildren
}

/** The frame of a page before the sign-in. A new view takes title and focus. */
export const Gate = ({ branding, title, heading, lead, view, children }: GateProps) => {
  const main = useRef<HTMLElement>(null)
  useEffect(() => setTitle(title, branding), [title, branding])
  useEffect(() => {
    const target = main.current?.querySelector<HTMLElement>('[data-first=true]') ?? main.current?.querySelector('h1')
    target?.focus()
  }, [view])
  return (
    <>
      <main ref={main}>
        <header>
          <Mark branding={branding} isLarge />
          <div class="stack tight">
            <h1 tabIndex={-1}>{heading}</h1>
            {lead !== undefined && <p class="muted">{lead}</p>}
          </div>
        </header>
        {children}
      </main>
      <Footer branding={branding} />
    </>
  )
}
