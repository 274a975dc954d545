const browsers: [name: string, mark: RegExp][] = [
  ['Edge', /\bEdg/],
  ['Opera', /\bOPR\//],
  ['Samsung Internet', /SamsungBrowser/],
  ['Firefox', /Firefox\/|FxiOS/],
  ['Chrome', /Chrome\/|CriOS/],
  ['Safari', /Safari\//],
]
const systems: [name: string, mark: RegExp][] = [
  ['iPhone', /iPhone/],
  ['iPad', /iPad/],
  ['Android', /Android/],
  ['Windows', /Windows/],
  ['macOS', /Mac OS X/],
  ['ChromeOS', /CrOS/],
  ['Linux', /Linux/],
]
const found = (list: typeof browsers, agent: string) => list.find(([, mark]) => mark.test(agent))?.[0]

/** `Firefox, Windows`: as much as people know their devices by. Undefined when nothing is recognised. */
export function nameOfAgent(agent: string | null): string | undefined {
  if (agent === null) return undefined
  return [found(browsers, agent), found(systems, agent)].filter(Boolean).join(', ') || undefined
}

export const isPhone = (agent: string | null): boolean => /iPhone|Android.*Mobile/.test(agent ?? '')

export const thisBrowser = (): string => nameOfAgent(navigator.userAgent) ?? ''
