/** The names of rights, by right: `users.read` is `rights.names.users.read`. */
export const rights = {
  groups: {
    users: 'Gebruikers en rollen',
    pages: 'Pagina’s en bestanden',
    messages: 'Berichten en e-mail',
    site: 'Website',
  },
  roles: { registered: 'Geregistreerd', administrator: 'Beheerder', editor: 'Redacteur' },
  names: {
    users: {
      read: {
        label: 'Gebruikers bekijken',
        explanation: 'Ziet wie er een account heeft, met welke rol, en exporteert de lijst.',
      },
      write: {
        label: 'Gebruikers beheren',
        explanation:
          'Maakt, wijzigt, blokkeert en verwijdert gebruikers en geeft hun een rol, maar nooit meer rechten dan de eigen.',
      },
    },
    roles: {
      write: {
        label: 'Rollen beheren',
        explanation: 'Maakt, wijzigt en verwijdert rollen, maar nooit met meer rechten dan de eigen.',
      },
    },
    pages: {
      write: {
        label: 'Pagina’s schrijven',
        explanation: 'Maakt en wijzigt pagina’s als concept. Bezoekers zien daar nog niets van.',
      },
      publish: {
        label: 'Pagina’s publiceren',
        explanation: 'Zet pagina’s op de website, haalt ze eraf en zet een eerdere versie terug.',
      },
    },
    files: {
      write: {
        label: 'Bestanden beheren',
        explanation: 'Uploadt, wijzigt en verwijdert afbeeldingen en andere bestanden.',
      },
    },
    messages: {
      read: {
        label: 'Berichten lezen',
        explanation: 'Leest wat bezoekers via het contactformulier stuurden, ook wat als spam apart is gezet.',
      },
      write: {
        label: 'Berichten verwerken',
        explanation: 'Beantwoordt berichten, maakt notities, verplaatst ze tussen de mappen en verwijdert ze.',
      },
    },
    mail: {
      read: {
        label: 'Uitgaande e-mail bekijken',
        explanation: 'Ziet welke e-mails wachten, verstuurd of mislukt zijn, en verstuurt mislukte opnieuw.',
      },
    },
    config: {
      write: {
        label: 'Website instellen',
        explanation: 'Wijzigt merk, kleuren, menu’s, bedrijfsgegevens en het contactformulier.',
      },
    },
    audit: {
      read: {
        label: 'Logboek inzien',
        explanation: 'Ziet wie wat wanneer heeft gewijzigd, met de waarden ervoor en erna.',
      },
    },
  },
}
