/** The sheet with the backup key, to print and keep apart from the backups: they cannot be opened without the key. */
export const recoverySheet = (of: { site: string; identity: string; now: Date; folder: string }): string =>
  `RECOVERY SHEET OF ${of.site}
Printed on ${of.now.toISOString().slice(0, 10)}. Keep it apart from the backups, where only those may read it who may restore the site.

The key of the backups:

  ${inGroups(of.identity)}

Type it as one word, without the spaces. Anybody who has it and a backup can read everything that is in the backup.
Without it no backup can be opened, by nobody.

To restore the site on this or another machine:

  1. Install the program, the same version as before or a newer one.
  2. Bring a backup: a file etalage-….tar.age. They were written to ${of.folder}
     Bring the file etalage-journal-….age and the folder etalage-files-… from beside it too.
  3. Stop the program, and run where it is installed:

       BACKUP_KEY=AGE-SECRET-KEY-1… npm run cli -- restore <the file>

  4. Start the program.

The files are made by age (https://age-encryption.org) and tar; both open them without this program too.
`

const inGroups = (key: string) => key.replace(/(.{8})(?=.)/g, '$1 ')
