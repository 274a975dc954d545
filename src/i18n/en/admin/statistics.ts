import type { statistics as dutch } from '../../nl/admin/statistics.ts'
import type { Texts } from '../../nl/index.ts'

export const statistics: Texts<typeof dutch> = {
  lead: 'How many visits your website had, where they came from and what they led to.',
  period: 'Period',
  year: '12 months',
  visits: 'Visits',
  visitsOverTime: 'Visits in this period',
  perThousand: 'Messages per thousand visits',
  before: 'Period before: {{before}}',
  notCompared: 'The period before has not been fully counted yet.',
  share: 'Share',
  sources: 'Where visitors came from',
  source: 'Website',
  direct: 'Direct, or unknown',
  otherSources: 'Other websites together',
  noVisits: 'No visits have been counted in this period. They appear here as soon as somebody opens your website.',
  devicesTitle: 'On which device',
  device: 'Device',
  devices: { desktop: 'Computer', phone: 'Phone', tablet: 'Tablet' },
  campaigns: 'Campaigns',
  campaign: 'Campaign',
  otherCampaigns: 'Other campaigns together',
  noCampaigns:
    'None yet. Add for example ?utm_source=newsletter&utm_campaign=spring to a link in a newsletter or advertisement, and you see here how often it was followed.',
  messagePages: 'Which pages messages came from',
  page: 'Page',
  otherPages: 'Other pages together, or unknown',
  noMessages: 'No messages have been counted in this period.',
  how: 'Counted on your own server, without cookies or IP addresses; only totals per day are kept, for as long as Settings, Retention, says. A visit is a page view that does not come from another page of your website, so reloading the first page counts again. People who are signed in are not counted.',
  bots: 'Search engines and other bots that say who they are, are not counted: {{bots}} views in this period.',
}
