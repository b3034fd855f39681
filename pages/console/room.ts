import type { ComponentType } from 'preact'
import type { Permission } from '../../client/index.js'

export interface Room {
  /** Below the address of the console. */
  path: string
  /** In the navigation; absent for a page to which another one links. */
  text?: string
  group?: 'directory' | 'activity'
  /** Without this permission the page is not there. */
  needs?: Permission
  component: ComponentType
}
