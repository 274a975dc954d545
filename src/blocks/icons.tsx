import * as lucide from 'lucide-react'
import type { ReactNode } from 'react'
import { z } from 'zod'
import { fieldKinds } from './define-block.ts'

/** The icons available to content, by their lucide names. */
const glyphs = {
  'app-window': lucide.AppWindow,
  'arrow-right': lucide.ArrowRight,
  'arrow-up-right': lucide.ArrowUpRight,
  'badge-check': lucide.BadgeCheck,
  bell: lucide.Bell,
  briefcase: lucide.Briefcase,
  'building-2': lucide.Building2,
  'calendar-check': lucide.CalendarCheck,
  'chart-line': lucide.ChartLine,
  check: lucide.Check,
  'circle-question-mark': lucide.CircleQuestionMark,
  clock: lucide.Clock,
  cloud: lucide.Cloud,
  'code-xml': lucide.CodeXml,
  'credit-card': lucide.CreditCard,
  database: lucide.Database,
  download: lucide.Download,
  euro: lucide.Euro,
  'file-text': lucide.FileText,
  gauge: lucide.Gauge,
  globe: lucide.Globe,
  'hard-drive': lucide.HardDrive,
  handshake: lucide.Handshake,
  headset: lucide.Headset,
  heart: lucide.Heart,
  house: lucide.House,
  image: lucide.Image,
  info: lucide.Info,
  'key-round': lucide.KeyRound,
  languages: lucide.Languages,
  laptop: lucide.Laptop,
  layers: lucide.Layers,
  'layout-dashboard': lucide.LayoutDashboard,
  leaf: lucide.Leaf,
  'life-buoy': lucide.LifeBuoy,
  lightbulb: lucide.Lightbulb,
  lock: lucide.Lock,
  'log-in': lucide.LogIn,
  'log-out': lucide.LogOut,
  mail: lucide.Mail,
  'map-pin': lucide.MapPin,
  'message-circle': lucide.MessageCircle,
  monitor: lucide.Monitor,
  palette: lucide.Palette,
  'pen-line': lucide.PenLine,
  phone: lucide.Phone,
  plug: lucide.Plug,
  'refresh-cw': lucide.RefreshCw,
  rocket: lucide.Rocket,
  search: lucide.Search,
  send: lucide.Send,
  server: lucide.Server,
  settings: lucide.Settings,
  'shield-check': lucide.ShieldCheck,
  'shopping-cart': lucide.ShoppingCart,
  smartphone: lucide.Smartphone,
  star: lucide.Star,
  store: lucide.Store,
  user: lucide.User,
  users: lucide.Users,
  wifi: lucide.Wifi,
  workflow: lucide.Workflow,
  wrench: lucide.Wrench,
  zap: lucide.Zap,
}

/** The paths of social media logos, in the style of Lucide, which has no logos. */
const socialPaths = {
  linkedin: 'M4 9v11M4 4.5v.01M9.5 20V9m0 4.5a4.5 4.5 0 0 1 9 0V20',
  instagram:
    'M7 3h10a4 4 0 0 1 4 4v10a4 4 0 0 1-4 4H7a4 4 0 0 1-4-4V7a4 4 0 0 1 4-4zm5 5a4 4 0 1 0 0 8 4 4 0 0 0 0-8zm5-1.2v.01',
  facebook: 'M16 3h-1.5A4.5 4.5 0 0 0 10 7.5V21M6.5 12H15',
  mastodon:
    'M16.5 20.5c-4 .9-7.2-.4-7.7-4M8.2 16.5c4.5.8 11.3.8 11.3-5V9A5.5 5.5 0 0 0 14 3.5h-4A5.5 5.5 0 0 0 4.5 9v4c0 4.5 2 7 5.5 8M8 12.5V10a2 2 0 0 1 4 0v2m0-2a2 2 0 0 1 4 0v2.5',
  github:
    'M9 21v-3.5c-3 .8-4.2-.7-5-2M15 21v-4a3 3 0 0 0-.8-2.2c3-.4 5.3-1.7 5.3-5.8a4.8 4.8 0 0 0-1.2-3.2 4.3 4.3 0 0 0-.1-3.1S17 2.3 14.6 4a11.5 11.5 0 0 0-5.7 0C6.5 2.3 5.3 2.7 5.3 2.7a4.3 4.3 0 0 0-.1 3.1A4.8 4.8 0 0 0 4 9c0 4.1 2.3 5.4 5.3 5.8A3 3 0 0 0 9 16.5',
}

export type IconName = keyof typeof glyphs
type SocialName = keyof typeof socialPaths

export const iconName = z.enum(Object.keys(glyphs) as [IconName, ...IconName[]]).register(fieldKinds, { kind: 'icon' })
export const socialName = z.enum(Object.keys(socialPaths) as [SocialName, ...SocialName[]])

const cache = new Map<string, ReactNode>()

/** Renders a decorative icon, hidden from screen readers. */
export function renderIcon(name: IconName | SocialName): ReactNode {
  let rendered = cache.get(name)
  if (!rendered) {
    rendered = name in glyphs ? renderGlyph(name as IconName) : renderSocial(name as SocialName)
    cache.set(name, rendered)
  }
  return rendered
}

function renderGlyph(name: IconName): ReactNode {
  const Glyph = glyphs[name]
  // Inline SVG in HTML needs no namespace.
  return <Glyph className="icon" size={24} xmlns={undefined} strokeWidth={1.75} />
}

function renderSocial(name: SocialName): ReactNode {
  return (
    <svg className="icon" viewBox="0 0 24 24" fill="none" stroke="currentColor" strokeWidth="1.75" aria-hidden>
      <path d={socialPaths[name]} strokeLinecap="round" strokeLinejoin="round" />
    </svg>
  )
}
