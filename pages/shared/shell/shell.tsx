import type { ComponentChildren } from 'preact'
import { useLocation } from 'preact-iso/router'
import { useEffect, useRef } from 'preact/hooks'
import { Icon } from '../frame/icon.js'
import { frame } from '../language/frame-words.js'
import { initials, visible } from '../language/visible.js'
import { nameOf, type Branding } from '../frame/branding.js'
import { base } from '../base.js'

export interface ShellLink {
  href: string
  text: string
  /** Whether the pages below the address belong to the link. */
  isFolder?: boolean
}

interface ShellProps {
  branding: Branding
  /** Name of the navigation, for screen readers. */
  label: string
  home: string
  sections: { heading?: string; links: ShellLink[] }[]
  /** Below the navigation: the other page, and the sign-out. */
  more: ComponentChildren
  children: ComponentChildren
}

const Mark = ({ branding }: { branding: Branding }) =>
  branding.systemLogo === null ? (
    <span class="mark" aria-hidden="true">
      {initials(nameOf(branding))}
    </span>
  ) : (
    <img class="mark plain" src={new URL(branding.systemLogo, base).href} alt="" />
  )

const isCurrent = ({ href, isFolder = false }: ShellLink, path: string): boolean =>
  path === href || (isFolder && path.startsWith(`${href}/`))

/** The frame of the pages after the sign-in: a side bar, which is a menu at the top of narrow windows. */
export const Shell = ({ branding, label, home, sections, more, children }: ShellProps) => {
  const { path } = useLocation()
  const fold = useRef<HTMLDetailsElement>(null)
  useEffect(() => {
    // The style opens it in wide windows where the browser knows `::details-content`.
    const isWide = matchMedia('(min-width: 900px)')
    const follow = () => {
      if (fold.current) fold.current.open = isWide.matches
    }
    follow()
    isWide.addEventListener('change', follow)
    return () => isWide.removeEventListener('change', follow)
  }, [path])
  return (
    <div class="app roomy">
      <header class="side">
        <a class="skip" href="#main" target="_self">
          {frame.skip}
        </a>
        <a class="brand" href={home}>
          <Mark branding={branding} />
          <span>{visible(nameOf(branding))}</span>
        </a>
        <details class="fold" ref={fold}>
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
            <ul class="me">{more}</ul>
          </div>
        </details>
      </header>
      {children}
    </div>
  )
}

interface PageProps {
  branding: Branding
  title: string
  /** Beside the heading: what one does here. */
  actions?: ComponentChildren
  children: ComponentChildren
}

let isFirst = true

/** One page in the frame. A new one takes title and focus. */
export const Page = ({ branding, title, actions, children }: PageProps) => {
  const main = useRef<HTMLElement>(null)
  useEffect(() => {
    document.title = `${title} · ${visible(branding.browserTitle ?? nameOf(branding))}`
    // A form takes the focus itself.
    if (!isFirst && !main.current?.querySelector('[data-first=true]')) main.current?.focus()
    isFirst = false
  }, [title])
  return (
    <main class="content" id="main" tabIndex={-1} ref={main}>
      <header>
        <h1 class="lead">{title}</h1>
        {actions}
      </header>
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
