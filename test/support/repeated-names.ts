import type axe from 'axe-core'
import type { Page } from 'playwright-core'
import { injectAxe } from './axe.ts'

const controls =
  'a[href], button, input, select, textarea, summary, [role=button], [role=link], [role=combobox], [role=checkbox], [role=switch], [role=radio]'

/** A screen reader says the name of these when it enters one. */
const groups = [
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

/** What axe exports beside its types. */
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
 * The controls of a page that a screen reader gives one name in one group, unless they are links to one address. The names
 * are those of axe: Chromium now and then crashes when it is asked for its own.
 * @param how.except names of controls that do the same
 */
export async function repeatedNames(page: Page, how: { except?: readonly string[] } = {}): Promise<string[]> {
  await injectAxe(page)
  return page.evaluate(
    ({ controls, groups, except }) => {
      const { setup, teardown, commons } = (window as unknown as { axe: Axe }).axe
      const { aria, dom, text } = commons
      const named = new Map<Element, string>()
      const groupsOf = (element: Element): string => {
        const parent = element.parentElement
        if (!parent) return ''
        const known = named.get(parent)
        if (known !== undefined) return known
        const role = aria.getRole(parent) ?? ''
        const name = groups.includes(role) ? text.accessibleText(parent) : ''
        const all = `${groupsOf(parent)}${name && `${role} ‘${name}’ > `}`
        named.set(parent, all)
        return all
      }
      const found = new Map<string, Set<unknown>>()
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
        found.set(key, (found.get(key) ?? new Set()).add(control instanceof HTMLAnchorElement ? control.href : control))
      }
      teardown()
      return [...found].filter(([, all]) => all.size > 1).map(([key, { size }]) => `${key}: ${size} times`)
    },
    { controls, groups, except: how.except ?? [] },
  )
}
