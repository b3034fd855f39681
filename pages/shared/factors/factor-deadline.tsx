import type { ComponentChildren } from 'preact'
import { Notice } from '../frame/notice.js'
import { dateAndTime, gap } from '../language/language.js'
import { request } from '../session/entered.js'
import { useLoaded } from '../use-loaded.js'

interface FactorDeadlineProps {
  text: (time: string) => string
  /** Leads to where a factor is set up. */
  children: ComponentChildren
}

/** Until when the person can sign in without the second factor that is required. The page is there without waiting for it. */
export const FactorDeadline = ({ text, children }: FactorDeadlineProps) => {
  const own = useLoaded(() => request('GET /auth/factors')).data
  if (own?.deadline == null) return null
  return (
    <Notice kind="warn">
      {text(dateAndTime(new Date(own.deadline)))}
      {children && gap}
      {children}
    </Notice>
  )
}
