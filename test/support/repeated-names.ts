import type axe from 'axe-core'
import type { Page } from 'playwright-core'
import { injectAxe } from './axe.ts'

/** The selector of controls. */
const controls =
  'a[href], button, input, select, textarea, summary, [role=button], [role=link], [role=combobox], [role=checkbox], [role=switch], [role=radio]'

/** The roles of groups: a screen reader says the name of a group when it enters one. */
const groupRoles = [
  'group',
  'radiogroup',
  'region',
  'form',
  'dialog',
  'alertdialog',
  'navigation',
  'toolbar',
  'table',
  'list',
  'search',
  'complementary',
  'tabpanel',
  'status',
  'alert',
]

/** axe with the exports that its types lack. */
type Axe = typeof axe & {
  setup: (node: Document) => void
  teardown: () => void
  commons: {
    aria: { getRole: (element: Element) => string | null }
    text: { accessibleText: (element: Element) => string }
    dom: {
      isVisibleToScreenReaders: (element: Element) => boolean
      idrefs: (e: Element, name: string) => (Element | null)[]
    }
  }
}

/**
 * The names that several controls of a page share within one group, for a screen reader. Links to the same URL may share one.
 * axe computes the names: Chromium sometimes crashes when it is asked for those that it computes itself.
 * @param options.except names that controls may share, because they do the same
 * @returns one line for each name, with the groups around it
 */
export async function repeatedNames(page: Page, options: { except?: readonly string[] } = {}): Promise<string[]> {
  await injectAxe(page)
  return page.evaluate(
    ({ controls, groupRoles, except }) => {
      const { setup, teardown, commons } = (window as unknown as { axe: Axe }).axe
      const { aria, dom, text } = commons
      const groupsByElement = new Map<Element, string>()
      const groupsOf = (element: Element): string => {
        const parent = element.parentElement
        if (!parent) return ''
        const cached = groupsByElement.get(parent)
        if (cached !== undefined) return cached
        const role = aria.getRole(parent) ?? ''
        const name = groupRoles.includes(role) ? text.accessibleText(parent) : ''
        const path = `${groupsOf(parent)}${name && `${role} ‘${name}’ > `}`
        groupsByElement.set(parent, path)
        return path
      }
      const targetsByName = new Map<string, Set<unknown>>()
      setup(document)
      for (const control of document.querySelectorAll(controls)) {
        const name = text.accessibleText(control)
        if (!dom.isVisibleToScreenReaders(control) || except.includes(name)) continue
        const description = [
          ...dom.idrefs(control, 'aria-describedby').map((e) => e?.textContent),
          control.getAttribute('title'),
        ]
        const label = [name, ...description.filter((part) => part && part !== name)].join(', ')
        const key = `${groupsOf(control)}${aria.getRole(control)} ‘${label}’`
        const target = control instanceof HTMLAnchorElement ? control.href : control
        targetsByName.set(key, (targetsByName.get(key) ?? new Set()).add(target))
      }
      teardown()
      return [...targetsByName]
        .filter(([, targets]) => targets.size > 1)
        .map(([key, { size }]) => `${key}: ${size} times`)
    },
    { controls, groupRoles, except: options.except ?? [] },
  )
}
