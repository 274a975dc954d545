import { HtmlValidate } from 'html-validate'

const validator = new HtmlValidate({
  root: true,
  extends: ['html-validate:standard', 'html-validate:a11y'],
  // A scrolling table has the role `region` without being a `section`: the site's styles give a section an edge.
  rules: { 'void-style': 'off', 'long-title': 'off', 'prefer-native-element': ['error', { exclude: ['region'] }] },
})

/** Validates a document. @returns its errors, one line each: `12:3 rule: message` */
export async function findHtmlErrors(html: string): Promise<string[]> {
  const { results } = await validator.validateString(html)
  const messages = results.flatMap((result) => result.messages)
  return messages.map(({ line, column, ruleId, message }) => `${line}:${column} ${ruleId}: ${message}`)
}
