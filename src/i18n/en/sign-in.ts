export const signIn = {
  login: {
    title: 'Sign in',
    lead: 'Manage your website, messages and users.',
    identifier: 'Email address',
    password: 'Password',
    submit: 'Sign in',
    forgotten: 'Forgotten your password?',
    or: 'or',
    provider: 'Sign in with your organisation',
    passkey: 'Sign in with a passkey',
    passkeyFailed: 'Signing in with a passkey did not work. Try again or use your password.',
    wait: 'You can try again in {{time}}.',
  },
  code: {
    title: 'One more step',
    lead: 'Open your authenticator app and enter the six-digit code.',
    code: 'Code',
    recovery: 'No access to the app? Then enter one of your recovery codes.',
    submit: 'Confirm',
    back: 'Back to signing in',
  },
  logout: {
    title: 'Sign out',
    lead: 'You are signed in as {{name}}',
    submit: 'Sign out',
  },
  forgotten: {
    title: 'Forgotten your password?',
    lead: 'Enter your email address. You will receive a link to choose a new password.',
    submit: 'Send me a link',
    sentTitle: 'Look in your mailbox',
    sentText:
      'If we know this address, you will find an email with a link there within a few minutes. It works once, for one hour. No email? Check your spam folder too.',
  },
  password: {
    title: 'Choose a password',
    lead: 'For the account of {{email}}. You will be signed out in other browsers.',
    password: 'New password',
    repeat: 'Repeat the password',
    hint: 'At least {{chars}} characters. A sentence that only you know is strong and easy to remember.',
    submit: 'Save password',
    again: 'Ask for a new link',
  },
  email: {
    title: 'Confirm your email address',
    lead: 'With one click this becomes the address of your account. From then on you sign in with it.',
    submit: 'Confirm',
  },
  setup: {
    title: 'Welcome!',
    lead: 'You are the first. Create your account; with it you manage the website and all users.',
    name: 'Your name',
    submit: 'Create account',
    endedText:
      'This link has been used or has expired. Sign in, or restart the program if there is no administrator yet.',
  },
  notice: {
    passwordSet: 'Your password has been saved. You can sign in with it now.',
    emailConfirmed: 'Your email address has been changed.',
    ready: 'Your account is ready. Sign in to begin.',
    again: 'Signing in took too long, or the code was wrong too often. Sign in again.',
    providerSilent:
      'The sign-in service does not respond at the moment. Sign in with your password or try again later.',
    providerRefused:
      'Signing in with this account did not work. Sign in with your password or ask an administrator for help.',
  },
  mail: {
    subject: 'Your password at {{brand}}',
    title: 'Choose a new password',
    intro:
      'You asked for a new password for your account at {{brand}}. With this link you choose it yourself. It works once, for one hour. If you did not ask for this, you need not do anything: your password stays as it is.',
    link: 'Your link',
    action: 'Choose a password',
  },
}
