export const adminPage = {
  beginning: 'Het beheer wordt geladen',
  needsScript:
    'Het beheer werkt met JavaScript, en dat staat in uw browser uit. Zet het aan en laad de pagina opnieuw. De website zelf werkt zonder.',
}
