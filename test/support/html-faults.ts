import { HtmlValidate } from 'html-validate'

const validator = new HtmlValidate({
  root: true,
  extends: ['html-validate:standard', 'html-validate:a11y'],
  // A scrolling table is a region that is no `section`: those have an edge of their own.
  rules: { 'void-style': 'off', 'long-title': 'off', 'prefer-native-element': ['error', { exclude: ['region'] }] },
})

/** The HTML errors, one line each. */
export async function htmlFaults(html: string): Promise<string[]> {
  const { results } = await validator.validateString(html)
  const messages = results.flatMap((result) => result.messages)
  return messages.map((one) => `${one.line}:${one.column} ${one.ruleId}: ${one.message}`)
}
