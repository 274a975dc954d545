import type { health as dutch } from '../../nl/admin/health.ts'
import type { Texts } from '../../nl/index.ts'

export const health: Texts<typeof dutch> = {
  lead: 'Whether everything works, and if not, what you can do about it. The program checks every five minutes.',
  again: 'Check everything now',
  checkedAt: 'Checked: {{when}}',
  good: 'All is well.',
  unseen_one: 'Nothing is wrong; {{count, number}} line could not be checked.',
  unseen_other: 'Nothing is wrong; {{count, number}} lines could not be checked.',
  problems_one: '{{count, number}} line needs your attention.',
  problems_other: '{{count, number}} lines need your attention.',
  open: 'To this screen',
  outcomes: { good: 'Good', attention: 'Attention', failed: 'Failed', unknown: 'Unknown' },
  alarms: {
    title: 'Alarms and monthly report',
    lead: 'When something failed at two checks in a row, these people get one email, and one more when it is over. The monthly report names visits, messages, how soon they were answered, and the backups. Until somebody saves this, everybody who may change the settings gets both.',
    people: 'Who gets an email about problems',
    reports: 'Who gets a monthly report',
    webhook: 'Address of a webhook',
    webhookHelp:
      'Gets the same as JSON. Only a public address that begins with http:// or https://; it may stay empty.',
    saved: 'Alarms saved',
  },
  areas: {
    data: 'Data',
    mail: 'Email',
    address: 'The address of your website',
    content: 'Content',
    program: 'Program',
  },
}
