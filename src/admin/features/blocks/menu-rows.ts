/** One item of a menu in the flat list that is put in order: at depth 1 it stands in the submenu of the last one at 0. */
export interface MenuRow {
  /** For as long as the screen is open. */
  key: string
  depth: 0 | 1
  /** Without its submenu. */
  entry: Record<string, unknown>
}

type Item = Record<string, unknown>

/** @param keyAt of a row, by its number */
export function rowsOf(items: readonly Item[], keyAt: (index: number) => string): MenuRow[] {
  const rows: Omit<MenuRow, 'key'>[] = items.flatMap(({ submenu, ...entry }) => [
    { depth: 0 as const, entry },
    ...(Array.isArray(submenu) ? submenu : []).map((inside: Item) => ({ depth: 1 as const, entry: inside })),
  ])
  return rows.map((row, index) => ({ ...row, key: keyAt(index) }))
}

export function itemsOf(rows: readonly MenuRow[]): Item[] {
  const items: (Item & { submenu: Item[] })[] = []
  for (const { depth, entry } of rows) {
    const last = items.at(-1)
    if (depth === 1 && last) last.submenu.push(entry)
    else items.push({ ...entry, submenu: [] })
  }
  return items
}

/** Where the API says that row stands: `1.submenu.0`. */
export function pathOf(rows: readonly MenuRow[], index: number): string {
  const roots = rows.slice(0, index + 1).filter(({ depth }) => depth === 0).length
  if (rows[index]?.depth !== 1) return String(roots - 1)
  const root = rows.findLastIndex(({ depth }, at) => at <= index && depth === 0)
  return `${roots - 1}.submenu.${index - root - 1}`
}

/** The last row of the submenu that begins after `root`, or the root itself. */
function endOf(rows: readonly MenuRow[], root: number): number {
  let end = root
  while (rows[end + 1]?.depth === 1) end++
  return end
}

/**
 * Takes a row to the place of another. An item goes with its submenu; one that comes between the items of a submenu joins
 * it, unless it has one itself: then it goes past.
 */
export function movedRow(rows: readonly MenuRow[], from: number, to: number): MenuRow[] {
  const row = rows[from]
  if (!row) return [...rows]
  const end = row.depth === 0 ? endOf(rows, from) : from
  const block = rows.slice(from, end + 1)
  const rest = [...rows.slice(0, from), ...rows.slice(end + 1)]
  // In `rest`, before which row it comes.
  let at = to > from ? Math.max(to, end + 1) - block.length + 1 : to
  if (to > from && end + 1 >= rows.length) return [...rows]
  if (block.length > 1) while (rest[at]?.depth === 1) at += to > from ? 1 : -1
  at = Math.min(Math.max(at, 0), rest.length)
  const depth = at === 0 ? 0 : block.length > 1 ? 0 : rest[at]?.depth === 1 ? 1 : row.depth
  return tidy([...rest.slice(0, at), { ...row, depth }, ...block.slice(1), ...rest.slice(at)])
}

/** Puts an item into the submenu of the one before it; its own submenu goes along. */
export function rowIn(rows: readonly MenuRow[], index: number): MenuRow[] {
  if (index === 0) return [...rows]
  return rows.map((row, at) => (at === index ? { ...row, depth: 1 } : row))
}

/** Takes an item out of a submenu, to behind it. */
export function rowOut(rows: readonly MenuRow[], index: number): MenuRow[] {
  const row = rows[index]
  if (row?.depth !== 1) return [...rows]
  const end = endOf(rows, index)
  const rest = rows.filter((_, at) => at !== index)
  return tidy([...rest.slice(0, end), { ...row, depth: 0 }, ...rest.slice(end)])
}

/** Without an item before it nothing is in a submenu. */
const tidy = (rows: MenuRow[]): MenuRow[] => rows.map((row, index) => (index === 0 ? { ...row, depth: 0 } : row))
