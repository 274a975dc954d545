import type { help as dutch } from '../../nl/admin/help.ts'
import type { Texts } from '../../nl/index.ts'

/** Two or three sentences about each screen, loaded when they are asked for. */
export const help: Texts<typeof dutch> = {
  api: 'Description of the API for programs',
  screens: {
    overview:
      'Start here: what is waiting for you, what is new and how many visitors you had. You see only what you have rights for. With Ctrl K (⌘ K on a Mac) you find any screen.',
    statistics:
      'How many visits there were, beside those of the same number of days before. A link with utm_source, utm_medium or utm_campaign in its address counts as a campaign. The figures do not tell who visited.',
    messages:
      'Every message from the contact form arrives here, even if the email does not. Mark a message as answered, so that colleagues know it is done. What looks like spam is kept apart.',
    message:
      'Answer from this screen, so that your colleagues can see your reply. The sender never sees a note. Deleting cannot be undone.',
    mail: 'All email that the website sends, with what the mail server answered. A failed email is tried again for three days, and for two more after you send it again yourself.',
    emailPreviews:
      'This is what the emails of your website look like, in every language that the program speaks. They use your name, logo and colours. Nothing is sent.',
    pages:
      'Every page has its own text in each language, which you write and publish separately. Saving is not publishing. What you delete can be restored from the bin.',
    page: 'What you type is kept as a draft. Saving makes a version; visitors do not see it until it is published. If two people work at the same time, their changes are merged.',
    newPage:
      'A title is enough to start; the address follows from it. Visitors do not see the page until you publish it.',
    history:
      'Every time somebody saves, it is listed here with what changed. You can restore any version; that makes a new version, so nothing is lost.',
    health:
      'What the program checks about itself: data, email, the address, the content and the program. Each line that is not well says what you can do. ‘Unknown’ means that it could not be checked.',
    links:
      'Every link in pages, sections, menus, header and footer is checked when you open this screen. A link that arrives by way of a redirect is fine. Links to other websites are checked only when you ask for it.',
    redirects:
      'When an address changes, the old one leads to the new one by itself. Here you see those redirects and can make your own, for example for an address of your old website.',
    sections:
      'Blocks that you saved under a name, to use on several pages. Copies are independent; a change to a shared section shows on every page at once. You save a section from a page, in the menu of a block.',
    section:
      'Visitors see what you save here at once, on every page with this section. If it has no blocks in a language, pages in that language show the Dutch ones. A section that is in use cannot be deleted.',
    files:
      'Images and documents for your pages. Images are made in every size for you. A file that is used somewhere cannot be deleted.',
    file: 'Give an image a description: screen readers read it aloud. The focal point stays in view when the image is cropped. If you replace the file, it changes everywhere.',
    users:
      'Everyone who can sign in. A role decides what somebody may do. If you block somebody, they are signed out everywhere at once.',
    user: 'You cannot give rights that you do not have yourself. A link to choose a password is better than a password by email.',
    roles: 'A role is a list of rights. Everyone has the base role, and at most one role for their work besides.',
    role: 'Tick what somebody with this role may do. With ‘write’ but without ‘publish’, somebody submits pages for review.',
    backups:
      'Turn on a daily backup, and preferably keep it on another server. The recovery sheet has the key: without it no backup can be opened. You can get one message or page back here; restoring the whole website is done on the server itself.',
    config:
      'Everything that applies to the whole website: name, colours, menu, prices and contact. Every change is a version that you can restore.',
    configPart:
      'The preview shows your change on the real website before you save. After you save, every visitor sees it within a second.',
    mailServer:
      'Enter what your email provider gave you; before saving, the website signs in to it once. Then send yourself a test email: you see each step, and what to do when one fails. With the mailbox of the sender, at the bottom, you also see which emails did not arrive.',
    revisions: 'Every time somebody changed the settings. You see what changed and can restore an earlier version.',
    privacy:
      'If somebody asks about their data, you find, export or erase everything that belongs to an email address here. Erasing cannot be undone.',
    audit:
      'Who changed what and when, including through the API and the command line. The audit log cannot be changed.',
    profile:
      'Your details and how you sign in. Turn on two-step sign-in, or use a passkey. At the bottom you see what your role allows.',
  },
}
