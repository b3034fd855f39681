import { sentences } from '../language/language.js'
import { createContext, type ComponentChildren, type TargetedKeyboardEvent } from 'preact'
import { useLocation } from 'preact-iso/router'
import { useContext, useEffect, useRef } from 'preact/hooks'
import { Icon } from '../frame/icon.js'
import { Notice } from '../frame/notice.js'
import { frame } from '../language/frame-words.js'
import { BoldName, visible } from '../language/visible.js'
import { Mark, nameOf, setTitle, type Branding } from '../frame/branding.js'
import { obstacleHere } from '../session/client.js'
import { questions } from '../ask/words.js'
import { whoIsSignedIn } from '../session/entered.js'
import { forgetOtherAccount, isOtherAccount } from '../session/other-account.js'
import { tabOnly } from '../session/tab-only.js'
import { closeOnLeave } from './close-on-leave.js'
import { More, type MoreProps } from './more.js'

const BrandingContext = createContext<Branding | undefined>(undefined)

export interface ShellLink {
  href: string
  text: string
  /** Whether the pages below the address belong to the link. */
  isFolder?: boolean
}

interface ShellProps extends MoreProps {
  branding: Branding
  /** Name of the navigation, for screen readers. */
  label: string
  home: string
  sections: { heading?: string; links: ShellLink[] }[]
  /** For lists of many rows, smaller than where people read. */
  isDense?: boolean
  children: ComponentChildren
}

const isCurrent = ({ href, isFolder = false }: ShellLink, path: string): boolean =>
  path === href || (isFolder && path.startsWith(`${href}/`))

/** Where the side bar is no menu. */
const isWide = matchMedia('(min-width: 900px)')

const closeOnEscape = ({ key, currentTarget }: TargetedKeyboardEvent<HTMLDetailsElement>) => {
  if (key !== 'Escape' || isWide.matches || !currentTarget.open) return
  currentTarget.open = false
  currentTarget.querySelector('summary')?.focus()
}

/** The frame of the pages after the sign-in: a side bar, which is a menu at the top of narrow windows. */
export const Shell = ({ branding, label, home, sections, otherPage, isDense = false, children }: ShellProps) => {
  const { path } = useLocation()
  const fold = useRef<HTMLDetailsElement>(null)
  useEffect(() => {
    // The style opens it in wide windows where the browser knows `::details-content`.
    const follow = () => {
      if (fold.current) fold.current.open = isWide.matches
    }
    follow()
    isWide.addEventListener('change', follow)
    return () => isWide.removeEventListener('change', follow)
  }, [path])
  return (
    <div class={isDense ? 'app' : 'app roomy'}>
      <header class="side">
        <a class="skip" href="#main" target="_self">
          {frame.skip}
        </a>
        <a class="brand" href={home}>
          <Mark branding={branding} />
          <span>{visible(nameOf(branding))}</span>
        </a>
        <details
          class="fold"
          ref={fold}
          onKeyDown={closeOnEscape}
          onFocusOut={(event) => {
            if (!isWide.matches) closeOnLeave(event)
          }}
        >
          <summary class="button">
            <Icon name="menu" /> {frame.menu}
          </summary>
          <div>
            <nav aria-label={label}>
              {sections.map(({ heading, links }) => (
                <div key={heading}>
                  {heading !== undefined && <p>{heading}</p>}
                  <ul aria-label={heading}>
                    {links.map((link) => (
                      <li key={link.href}>
                        <a href={link.href} aria-current={isCurrent(link, path) ? 'page' : undefined}>
                          {link.text}
                        </a>
                      </li>
                    ))}
                  </ul>
                </div>
              ))}
            </nav>
            <More otherPage={otherPage} />
          </div>
        </details>
      </header>
      <BrandingContext.Provider value={branding}>{children}</BrandingContext.Provider>
    </div>
  )
}

interface PageProps {
  title: string
  /** In place of the title at the head of the page: a heading and what stands beside it. */
  heading?: ComponentChildren
  /** The page to which this one belongs. */
  above?: { href: string; text: string }
  /** Beside the heading: what one does here. */
  actions?: ComponentChildren
  children: ComponentChildren
}

let isFirst = true
const firstPath = location.pathname

/** One page in the frame. A new one, or another address, takes the focus; another title, as of what has been saved, does not. */
export const Page = ({ title, heading, above, actions, children }: PageProps) => {
  const main = useRef<HTMLElement>(null)
  const branding = useContext(BrandingContext)
  const { path } = useLocation()
  const obstacle = obstacleHere()
  useEffect(() => {
    if (branding) setTitle(title, branding)
  }, [title])
  useEffect(() => {
    // A form takes the focus itself.
    if (!isFirst && !main.current?.querySelector('[data-first=true]')) main.current?.focus()
    isFirst = false
    // Said on the page with which the other account begins, and not again on the way back.
    if (path !== firstPath) forgetOtherAccount()
  }, [path])
  return (
    <main class="content" id="main" tabIndex={-1} ref={main}>
      {above && (
        <p class="small">
          <a href={above.href}>{above.text}</a>
        </p>
      )}
      <header>
        {heading ?? <h1 class="lead">{title}</h1>}
        {actions}
      </header>
      {isOtherAccount() && path === firstPath && (
        <Notice kind="warn">{questions.otherAccount(<BoldName text={whoIsSignedIn().username} />)}</Notice>
      )}
      {obstacle && <Notice kind="warn">{sentences(frame.onlyHere, tabOnly(obstacle))}</Notice>}
      {children}
    </main>
  )
}

interface SectionProps {
  heading: string
  hint?: string
  children: ComponentChildren
}

/** A part of a page: what it is on the left, what one does on the right. */
export const Section = ({ heading, hint, children }: SectionProps) => (
  <section class="section">
    <header>
      <h2>{heading}</h2>
      {hint !== undefined && <p class="hint">{hint}</p>}
    </header>
    <div class="stack">{children}</div>
  </section>
)
