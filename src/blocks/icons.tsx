import {
  AppWindow,
  ArrowRight,
  ArrowUpRight,
  BadgeCheck,
  Bell,
  Briefcase,
  Building2,
  CalendarCheck,
  ChartLine,
  Check,
  CircleQuestionMark,
  Clock,
  Cloud,
  CodeXml,
  CreditCard,
  Database,
  Download,
  Euro,
  FileText,
  Gauge,
  Globe,
  Handshake,
  HardDrive,
  Headset,
  Heart,
  House,
  Image,
  Info,
  KeyRound,
  Languages,
  Laptop,
  Layers,
  LayoutDashboard,
  Leaf,
  LifeBuoy,
  Lightbulb,
  Lock,
  LogIn,
  LogOut,
  Mail,
  MapPin,
  MessageCircle,
  Monitor,
  Palette,
  PenLine,
  Phone,
  Plug,
  RefreshCw,
  Rocket,
  Search,
  Send,
  Server,
  Settings,
  ShieldCheck,
  ShoppingCart,
  Smartphone,
  Star,
  Store,
  User,
  Users,
  Wifi,
  Workflow,
  Wrench,
  Zap,
} from 'lucide-react'
import type { ReactNode } from 'react'
import { z } from 'zod'
import { fieldKinds } from './define-block.ts'

/** The icons available to content, by their lucide names. */
const glyphs = {
  'app-window': AppWindow,
  'arrow-right': ArrowRight,
  'arrow-up-right': ArrowUpRight,
  'badge-check': BadgeCheck,
  bell: Bell,
  briefcase: Briefcase,
  'building-2': Building2,
  'calendar-check': CalendarCheck,
  'chart-line': ChartLine,
  check: Check,
  'circle-question-mark': CircleQuestionMark,
  clock: Clock,
  cloud: Cloud,
  'code-xml': CodeXml,
  'credit-card': CreditCard,
  database: Database,
  download: Download,
  euro: Euro,
  'file-text': FileText,
  gauge: Gauge,
  globe: Globe,
  'hard-drive': HardDrive,
  handshake: Handshake,
  headset: Headset,
  heart: Heart,
  house: House,
  image: Image,
  info: Info,
  'key-round': KeyRound,
  languages: Languages,
  laptop: Laptop,
  layers: Layers,
  'layout-dashboard': LayoutDashboard,
  leaf: Leaf,
  'life-buoy': LifeBuoy,
  lightbulb: Lightbulb,
  lock: Lock,
  'log-in': LogIn,
  'log-out': LogOut,
  mail: Mail,
  'map-pin': MapPin,
  'message-circle': MessageCircle,
  monitor: Monitor,
  palette: Palette,
  'pen-line': PenLine,
  phone: Phone,
  plug: Plug,
  'refresh-cw': RefreshCw,
  rocket: Rocket,
  search: Search,
  send: Send,
  server: Server,
  settings: Settings,
  'shield-check': ShieldCheck,
  'shopping-cart': ShoppingCart,
  smartphone: Smartphone,
  star: Star,
  store: Store,
  user: User,
  users: Users,
  wifi: Wifi,
  workflow: Workflow,
  wrench: Wrench,
  zap: Zap,
}

/** Lucide has no logos of other companies; these match its stroke. */
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
export type SocialName = keyof typeof socialPaths

export const iconName = z.enum(Object.keys(glyphs) as [IconName, ...IconName[]]).register(fieldKinds, { kind: 'icon' })
export const socialName = z.enum(Object.keys(socialPaths) as [SocialName, ...SocialName[]])

const cache = new Map<string, ReactNode>()

/** A decorative icon, hidden from screen readers. */
export function icon(name: IconName | SocialName): ReactNode {
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
  return <Glyph className="icon" xmlns={undefined} strokeWidth={1.75} aria-hidden />
}

function renderSocial(name: SocialName): ReactNode {
  return (
    <svg className="icon" viewBox="0 0 24 24" fill="none" stroke="currentColor" strokeWidth="1.75" aria-hidden>
      <path d={socialPaths[name]} strokeLinecap="round" strokeLinejoin="round" />
    </svg>
  )
}
