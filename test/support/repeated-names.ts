import type { Page } from 'playwright-core'

const roles = new Set([
  'button',
  'link',
  'textbox',
  'combobox',
  'checkbox',
  'switch',
  'radio',
  'searchbox',
  'spinbutton',
])
/** A screen reader says the name of these when it enters one. */
const groups = new Set([
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
])

interface Node {
  nodeId: string
  parentId?: string
  ignored: boolean
  role?: { value?: string }
  name?: { value?: string }
  description?: { value?: string }
  properties?: { name: string; value: { value?: unknown } }[]
}

/**
 * The controls of a page that a screen reader gives one name in one group, unless they are links to one address.
 * @param how.except names of controls that do the same
 */
export async function repeatedNames(page: Page, how: { except?: readonly string[] } = {}): Promise<string[]> {
  const client = await page.context().newCDPSession(page)
  const { nodes } = (await client.send('Accessibility.getFullAXTree')) as { nodes: Node[] }
  await client.detach()
  const byId = new Map(nodes.map((node) => [node.nodeId, node]))
  const groupsOf = (node: Node): string => {
    const parent = node.parentId === undefined ? undefined : byId.get(node.parentId)
    if (!parent) return ''
    const { role, name } = parent
    const isGroup = !parent.ignored && groups.has(role?.value ?? '') && name?.value
    return `${groupsOf(parent)}${isGroup ? `${role?.value} ‘${name.value}’ > ` : ''}`
  }
  const found = new Map<string, Set<string>>()
  for (const node of nodes) {
    const role = node.role?.value ?? ''
    if (node.ignored || !roles.has(role) || how.except?.includes(node.name?.value ?? '')) continue
    const said = [node.name, node.description].map((text) => text?.value ?? '')
    const key = `${groupsOf(node)}${role} ‘${said.filter(Boolean).join(', ')}’`
    const url = node.properties?.find(({ name }) => name === 'url')?.value.value
    found.set(key, (found.get(key) ?? new Set()).add(String(url ?? node.nodeId)))
  }
  return [...found].filter(([, all]) => all.size > 1).map(([key, { size }]) => `${key}: ${size} times`)
}
