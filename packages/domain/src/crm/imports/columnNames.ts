import type { ImportTarget } from "./ContactImport.ts"

/** The name of a column without case, accents, spaces, hyphens and underscores: what two names that count as one share. */
export const foldColumn = (name: string): string =>
  name
    .normalize("NFKD")
    .replaceAll(/[\u0300-\u036F]/gu, "")
    .toLowerCase()
    .replaceAll(/[\s_\p{Dash_Punctuation}]/gu, "")

/** What columns are often called that fill a part of a contact. The guide to imports prints this table. */
export const columnNames = {
  name: ["Full name", "Contact name", "Vollständiger Name", "Nombre completo", "Nom complet", "Nome completo"],
  firstName: ["First name", "Given name", "Forename", "Vorname", "Prénom"],
  lastName: [
    "Last name",
    "Family name",
    "Surname",
    "Nachname",
    "Familienname",
    "Apellido",
    "Apellidos",
    "Nom de famille",
    "Sobrenome",
    "Cognome"
  ],
  phone: [
    "Phone number",
    "Telephone",
    "Telephone number",
    "Tel",
    "Tel.",
    "Mobile",
    "Mobile number",
    "Mobile phone",
    "Cell phone",
    "WhatsApp",
    "WhatsApp number",
    "Telefon",
    "Telefonnummer",
    "Handy",
    "Handynummer",
    "Mobil",
    "Mobilnummer",
    "Mobiltelefon",
    "Rufnummer",
    "Teléfono",
    "Móvil",
    "Celular",
    "Téléphone",
    "Portable",
    "Telefone",
    "Telefono",
    "Cellulare"
  ],
  email: [
    "E-mail address",
    "Mail",
    "Mail address",
    "E-Mail-Adresse",
    "Mailadresse",
    "Correo",
    "Correo electrónico",
    "Adresse e-mail",
    "Courriel",
    "Endereço de e-mail",
    "Indirizzo e-mail"
  ],
  timezone: ["Time zone", "Zeitzone"],
  external: ["External id", "Externe ID"],
  tags: ["Tag", "Labels", "Schlagwörter", "Etiketten", "Etiquetas", "Étiquettes", "Etichette"]
} as const satisfies Partial<Record<ImportTarget, ReadonlyArray<string>>>

/** Words for a name that stand for one half of it where another column has the other half. */
export const halfNames = {
  firstName: ["Nombre", "Nome"],
  lastName: ["Nom"]
} as const satisfies Partial<Record<ImportTarget, ReadonlyArray<string>>>
