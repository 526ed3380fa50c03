import type { ContactField } from "../ContactFields.ts"
import { attribute, type ImportTarget, isExportOnly, plainTargets } from "./ContactImport.ts"

/** The name of a column without case, accents, spaces, hyphens and underscores: what two names that count as one share. */
const foldColumn = (name: string): string =>
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

/** A column, and what it could fill by its name: nothing, one thing, or several where the name does not tell. */
export interface ColumnMatch {
  readonly column: string
  readonly targets: ReadonlyArray<ImportTarget>
}

type Named = readonly [name: string, target: ImportTarget]

type Lookup = (column: string) => ReadonlyArray<ImportTarget>

const lookup = (named: ReadonlyArray<Named>, spell: (name: string) => string): Lookup => {
  const targets = new Map<string, Array<ImportTarget>>()
  for (const [name, target] of named) {
    const key = spell(name)
    const others = targets.get(key) ?? []
    if (key !== "" && !others.includes(target)) targets.set(key, [...others, target])
  }
  return (column) => targets.get(spell(column)) ?? []
}

const exact = (name: string) => name.trim()

const namesIn = (table: Partial<Record<ImportTarget, ReadonlyArray<string>>>): ReadonlyArray<Named> =>
  Object.entries(table).flatMap(([target, names = []]) => names.map((name): Named => [name, target]))

const obvious = namesIn(columnNames)

const halves = namesIn(halfNames)

const wholeNames = halves.map(([name]): Named => [name, "name"])

/** A word for a name is one half of it beside the other half: Nombre beside Apellidos, Nom beside Prénom. */
const halved = (matches: ReadonlyArray<ColumnMatch>, halfOf: Lookup): ReadonlyArray<ColumnMatch> => {
  const filled = new Set(matches.flatMap(({ targets }) => targets))
  return matches.map((match) => {
    const [half] = halfOf(match.column)
    const other = half === "firstName" ? "lastName" : "firstName"
    const isHalf = half !== undefined && match.targets[0] === "name" && filled.has(other)
    return isHalf ? { ...match, targets: [half] } : match
  })
}

/**
 * What columns could fill by their names. The first of these counts: the name of a target, the key of a custom field,
 * its label, what such columns are often called.
 */
export const matchColumns = (
  columns: ReadonlyArray<string>,
  fields: ReadonlyArray<ContactField>
): ReadonlyArray<ColumnMatch> => {
  const plain = plainTargets.map((target): Named => [target, target])
  const prefixed = fields.map(({ key }): Named => [`${attribute}${key}`, `${attribute}${key}`])
  const keys = fields.map(({ key }): Named => [key, `${attribute}${key}`])
  const labels = fields.map(({ key, name }): Named => [name, `${attribute}${key}`])
  const lookups = [
    lookup([...plain, ...prefixed], exact),
    lookup([...plain, ...prefixed], foldColumn),
    lookup(keys, exact),
    lookup(keys, foldColumn),
    lookup(labels, foldColumn),
    lookup([...obvious, ...wholeNames], foldColumn)
  ]
  const targetsOf = (column: string): ReadonlyArray<ImportTarget> => {
    if (isExportOnly(column)) return []
    for (const find of lookups) {
      const targets = find(column)
      if (targets.length > 0) return targets
    }
    return []
  }
  return halved(
    columns.map((column) => ({ column, targets: targetsOf(column) })),
    lookup(halves, foldColumn)
  )
}
