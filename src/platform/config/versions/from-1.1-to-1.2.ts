type Json = { [key: string]: unknown }

/**
 * Migrates version 1.1 to 1.2. Version 1.1 was in Dutch only: plain strings, opening hours in one line like `Mo-Fr
 * 09:00-18:00`, and a contact form with one `recipient` and no retention period. Version 1.2 has a text per language,
 * hours per day, a list of recipients, and the number of days that messages are stored.
 */
export function from11to12(config: Json): Json {
  const { recipient, ...contact } = object(config.contact)
  const business = object(config.business)
  const branding = object(config.branding)
  const seo = object(config.seo)
  const offer = object(config.offer)
  return {
    ...config,
    tagline: dutch(config.tagline),
    seo: { ...seo, title: dutch(seo.title), description: dutch(seo.description), keywords: dutch(seo.keywords) },
    business: {
      ...business,
      description: dutch(business.description),
      openingHours:
        typeof business.openingHours === 'string' ? hoursByDay(business.openingHours) : business.openingHours,
    },
    // Its `alt` was never shown.
    logo: { src: object(config.logo).src },
    locales: config.locales ?? ['nl'],
    contact: {
      ...contact,
      recipients: contact.recipients ?? (recipient === undefined ? undefined : [recipient]),
      retentionDays: contact.retentionDays ?? 365,
      fields: list(contact.fields).map((field) => ({
        ...object(field),
        placeholder: dutch(object(field).placeholder),
      })),
    },
    offer: {
      ...offer,
      prices: list(offer.prices).map(offerItem),
      subscriptions: list(offer.subscriptions).map(offerItem),
    },
    branding: {
      navbar: eachValue(object(branding.navbar), dutch),
      footer: eachValue(object(branding.footer), dutch),
    },
    pages: list(config.pages).map((page) => {
      const { title, description, body, ...rest } = object(page)
      return { ...rest, content: dutch({ title, description, body }) }
    }),
  }
}

const dutch = (nl: unknown) => ({ nl })
const object = (value: unknown): Json => (typeof value === 'object' && value !== null ? (value as Json) : {})
const list = (value: unknown): unknown[] => (Array.isArray(value) ? value : [])
const eachValue = (value: Json, change: (inner: unknown) => unknown): Json =>
  Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, change(inner)]))

function offerItem(value: unknown): Json {
  const item = object(value)
  return {
    ...item,
    name: dutch(item.name),
    description: dutch(item.description),
    features: dutch(item.features),
    ...(item.term === undefined ? {} : { term: dutch(item.term) }),
  }
}

const days = {
  Mo: 'monday',
  Tu: 'tuesday',
  We: 'wednesday',
  Th: 'thursday',
  Fr: 'friday',
  Sa: 'saturday',
  Su: 'sunday',
}

/**
 * `Mo-Fr 09:00-18:00` → hours for those days, null for the others. A line that cannot be parsed stays unchanged, and
 * validation refuses it with its path.
 */
function hoursByDay(line: string): unknown {
  const match = /^(\w\w)(?:-(\w\w))? (\d\d:\d\d)-(\d\d:\d\d)$/.exec(line.trim())
  if (!match) return line
  const [, first = '', last = first, opens, closes] = match
  const names = Object.keys(days)
  const start = names.indexOf(first)
  const end = names.indexOf(last)
  if (start < 0 || end < start) return line
  return Object.fromEntries(
    Object.values(days).map((day, index) => [day, index >= start && index <= end ? { opens, closes } : null]),
  )
}
